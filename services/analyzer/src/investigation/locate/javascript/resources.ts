import { startOfChain, textOf } from "./expressions.ts";
import { enclosingFunction, lineOf, type Structure } from "./structure.ts";

/** Something taken that is not given back on every way out. */
export interface UnreleasedResource {
  readonly at: number;
  readonly line: number;
  /** `pool.acquire` */
  readonly acquire: string;
  /** The variable that holds it; null when it is dropped at once. */
  readonly name: string | null;
  /** The line of the way out that skips the release; null when nothing releases it. */
  readonly leavesAt: number | null;
}

/** Each is looked for to the end of its function, so a file of nothing else would cost the square of its length. */
const callsMax = 100;
const acquiring: ReadonlySet<string> = new Set(
  "acquire connect getConnection checkout take borrow lease reserve lock open openSync createReadStream createWriteStream getClient obtain".split(
    " ",
  ),
);
const releasing: ReadonlySet<string> = new Set(
  "release destroy end close closeSync free unlock giveBack put checkin returnToPool dispose".split(" "),
);

/** What functions take (`pool.acquire()`, `open()`) and do not release, or release only on the way without an error. */
export function findUnreleased(structure: Structure): UnreleasedResource[] {
  const found: UnreleasedResource[] = [];
  let looked = 0;
  for (const [open, token] of structure.tokens.entries()) {
    const callee = structure.tokens[open - 1];
    if (token.text !== "(" || callee?.kind !== "word" || !acquiring.has(callee.text)) continue;
    if (looked++ >= callsMax) return found;
    const start = startOfChain(structure, open);
    const leak = leakOf(structure, start, open);
    if (leak) found.push(leak);
  }
  return found;
}

function leakOf(structure: Structure, start: number, open: number): UnreleasedResource | null {
  const { tokens } = structure;
  const shape = enclosingFunction(structure, open);
  const isAwaited = tokens[start - 1]?.text === "await";
  const sign = isAwaited ? start - 2 : start - 1;
  if (!shape || tokens[sign]?.text !== "=" || tokens[sign - 2]?.text === "using") return null;
  const name = tokens[sign - 1]?.kind === "word" ? (tokens[sign - 1]?.text ?? null) : null;
  const end = shape.body.end;
  const release = releaseIn(structure, open, end, name);
  const base = {
    at: open - 1,
    line: lineOf(structure, open - 1),
    acquire: textOf(structure, { start, end: open }),
    name,
  };
  if (release === null) return isHandedOn(structure, open, end, name) ? null : { ...base, leavesAt: null };
  if (isInFinally(structure, release)) return null;
  const leaves = exitBetween(structure, open, release);
  return { ...base, leavesAt: leaves === null ? null : lineOf(structure, leaves) };
}

/** `name.release()` and `pool.release(name)`. */
function releaseIn({ tokens }: Structure, from: number, to: number, name: string | null): number | null {
  for (let index = from; index < to; index++) {
    const token = tokens[index];
    if (token?.kind !== "word" || !releasing.has(token.text) || tokens[index + 1]?.text !== "(") continue;
    const isOn = tokens[index - 2]?.text === name;
    const isWith = tokens[index + 2]?.text === name;
    if (isOn || isWith) return index;
  }
  return null;
}

/** Returned, or kept in a field: whoever gets it must release it. */
function isHandedOn({ tokens }: Structure, from: number, to: number, name: string | null): boolean {
  for (let index = from; index < to; index++) {
    if (tokens[index]?.text !== name) continue;
    const before = tokens[index - 1]?.text;
    const after = tokens[index + 1]?.text;
    if (before === "return" && after !== ".") return true;
    if (before === "=" && tokens[index - 3]?.text === ".") return true;
  }
  return false;
}

/** In a `finally` block, or in the function given to `.finally(…)`. */
function isInFinally({ tokens, partner, owners }: Structure, at: number): boolean {
  for (let index = owners[at]?.start ?? at; index < at; index++) {
    const opens = tokens[index - 1]?.text === "finally" || tokens[index - 2]?.text === "finally";
    if (opens && (partner[index] ?? -1) > at) return true;
  }
  return false;
}

/** A `return`, `throw` or `await` between taking and giving back: after it nothing is released. */
function exitBetween({ tokens, owners }: Structure, from: number, to: number): number | null {
  const owner = owners[from];
  const leaves = (words: readonly string[]): number | null => {
    for (let index = from; index < to; index++) {
      if (owners[index] === owner && words.includes(tokens[index]?.text ?? "")) return index;
    }
    return null;
  };
  return leaves(["return", "throw"]) ?? leaves(["await"]);
}
