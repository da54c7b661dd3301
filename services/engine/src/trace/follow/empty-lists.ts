import { argumentsOf, isSame, keyText, plain, receiverOf } from "../code/expressions.ts";
import { type CodeNode, part } from "../code/ir.ts";
import { nothingAs, short, type Wanted } from "./wanted.ts";

/** Methods that take an element from an end of a list, without an argument. */
const taking: ReadonlySet<string> = new Set(["shift", "pop"]);

/**
 * Returns the list that an expression reads the first or last element of, when that was `undefined`: such a list is
 * empty, so what decides how long it is matters rather than its elements. Null for any other read.
 */
export function emptyListRead(node: CodeNode, path: readonly string[], wanted: Wanted): CodeNode | null {
  if (path.length > 0 || !isEmptyRead(wanted)) return null;
  const read = plain(node);
  if (read.kind === "index") {
    const [on, key] = [part(read, "on"), part(read, "key")];
    return on && key && (keyText(key) === "0" || isLastOf(key, on)) ? on : null;
  }
  const on = read.kind === "call" ? receiverOf(read) : null;
  const [first] = argumentsOf(read);
  if (first) return read.name === "at" && ["0", "-1"].includes(keyText(first.value) ?? "") ? on : null;
  return taking.has(read.name ?? "") ? on : null;
}

/** Returns whether the first element that a pattern takes of a list was `undefined`. */
export function isEmptyTaken(path: readonly string[], wanted: Wanted): boolean {
  return path.length === 1 && path[0] === "0" && isEmptyRead(wanted);
}

/** What is known of a list whose first or last element was `undefined`. */
export function emptied({ texts }: Wanted): Wanted {
  return { ...short, texts };
}

/** Returns what is known of an element, where the list turns out to have some; null where none of them matters. */
export function elementWanted({ was, texts }: Wanted): Wanted | null {
  return was === "short" && texts.includes("undefined") ? nothingAs("undefined") : null;
}

/** An element may be `null`, but hardly ever `undefined`. */
function isEmptyRead(wanted: Wanted): boolean {
  return wanted.was === "nothing" && wanted.texts.includes("undefined");
}

/** `list.length - 1` of the list itself. */
function isLastOf(key: CodeNode, list: CodeNode): boolean {
  const [left, right] = [part(key, "left"), part(key, "right")];
  if (key.kind !== "binary" || key.name !== "-" || !left || !right || keyText(right) !== "1") return false;
  const on = plain(left).name === "length" ? receiverOf(left) : null;
  return on !== null && isSame(on, list);
}
