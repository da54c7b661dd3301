import { isNothing, plain } from "./expressions.ts";
import { type CodeNode, is } from "./ir.ts";
import { isReadable, type TextForm } from "./text-forms.ts";

/** What the error says about the followed value, which rules out some of its origins. */
export interface Wanted {
  /** `value` is anything that is there and wrong. */
  readonly was: "nothing" | "falsy" | "zero" | "value";
  /** Its type, in the words of the language; null when that isn't known. */
  readonly type: "number" | "string" | "bigint" | "symbol" | "date" | "object" | null;
  /** What the error shows of it; empty when it shows nothing. */
  readonly texts: readonly string[];
  /** What it couldn't be read as, which rules out a text that can be; null when nothing read it. */
  readonly unreadableAs: TextForm | null;
}

export const nothing: Wanted = { was: "nothing", type: null, texts: [], unreadableAs: null };
export const falsy: Wanted = { was: "falsy", type: null, texts: [], unreadableAs: null };
export const zero: Wanted = { was: "zero", type: null, texts: [], unreadableAs: null };
export const anything: Wanted = { was: "value", type: null, texts: [], unreadableAs: null };

/** Whether the value was missing: an origin that always makes one isn't meant. */
export function isMissing({ was }: Wanted): boolean {
  return was === "nothing" || was === "falsy";
}

const textUnitsMin = 3;

/** Whether a literal or a value that is always created can be the failing one. */
export function canBe(value: CodeNode, { was, type, texts, unreadableAs }: Wanted): boolean {
  const node = plain(value);
  if (was === "nothing") return isNothing(node);
  if (was === "zero") return node.kind === "number" && Number(node.name) === 0;
  if (was === "falsy") return isNothing(node) || ["false", "False", "0", ""].includes(node.name ?? "?");
  const made = typeOf(node);
  if (type !== null && made !== null && made !== type) return false;
  if (unreadableAs !== null && node.kind === "string" && isReadable(node.name ?? "", unreadableAs)) return false;
  if (texts.length === 0 || node.kind !== "string" || (node.name ?? "").length < textUnitsMin) return true;
  return texts.some((text) => text.includes(node.name ?? "") || (node.name ?? "").includes(text));
}

/** What is known of the argument of a call from what is known of its value. */
export function argumentOf(call: CodeNode, wanted: Wanted): Wanted {
  const isDate = call.name === "Date" && is(call, "new") && wanted.type === "date";
  const isAlone = call.children.filter(({ role }) => role === "argument").length === 1;
  if (isDate) return { ...wanted, type: null, unreadableAs: isAlone ? "date" : null };
  // What it is made of is another text.
  return { ...wanted, unreadableAs: null };
}

/** The type that an expression always has; null when that depends. */
function typeOf(node: CodeNode): string | null {
  switch (node.kind) {
    case "string":
    case "template":
      return "string";
    case "number":
    case "boolean":
    case "nothing":
      return node.kind;
    case "object":
    case "list":
      return "object";
    case "call":
      return is(node, "new") ? (node.name === "Date" ? "date" : "object") : (converted.get(node.name ?? "") ?? null);
    default:
      return null;
  }
}

const converted: ReadonlyMap<string, string> = new Map([
  ["Number", "number"],
  ["parseInt", "number"],
  ["parseFloat", "number"],
  ["String", "string"],
  ["BigInt", "bigint"],
  ["Symbol", "symbol"],
  ["Boolean", "boolean"],
  ["toFixed", "string"],
  ["toISOString", "string"],
  ["stringify", "string"],
  ["toUpperCase", "string"],
  ["toLowerCase", "string"],
  ["getTime", "number"],
  ["now", "number"],
]);
