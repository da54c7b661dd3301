import { startOfChain } from "./expressions.ts";
import { enclosingFunction, endOfExpression, type FunctionShape, lineOf, type Structure } from "./structure.ts";

/** A promise that nobody waits for. */
export interface UnawaitedCall {
  readonly at: number;
  readonly callee: string;
  readonly line: number;
  /** `forgotten`: the call stands alone; `used`: the promise is used as if it were its value. */
  readonly how: "forgotten" | "used";
}

/** Calls known to give a promise, whoever defines them. */
const promising: ReadonlySet<string> = new Set(["fetch", "json", "arrayBuffer"]);
/** More than these in one file say nothing about any of them. */
const callsMax = 50;
const handling: ReadonlySet<string> = new Set(["then", "catch", "finally"]);
const awaiting: ReadonlySet<string> = new Set([
  "await",
  "return",
  "yield",
  "void",
  "=>",
  "?",
  ":",
  "&&",
  "||",
  "??",
  "[",
]);

/** Calls of asynchronous functions that are not awaited, not returned and not given to anybody. */
export function findUnawaited(structure: Structure, isAsync: (name: string) => boolean): UnawaitedCall[] {
  const found: UnawaitedCall[] = [];
  for (const [open, token] of structure.tokens.entries()) {
    if (found.length >= callsMax) return found;
    const callee = structure.tokens[open - 1];
    if (token.text !== "(" || callee?.kind !== "word") continue;
    if (!promising.has(callee.text) && !isAsync(callee.text)) continue;
    const how = neglect(structure, open);
    if (how) found.push({ at: open - 1, callee: callee.text, line: lineOf(structure, open - 1), how });
  }
  return found;
}

/** The names of the functions that always return a promise. */
export function asyncNames(structure: Structure): string[] {
  return structure.functions.flatMap((shape) =>
    shape.name !== null && givesPromise(structure, shape) ? [shape.name] : [],
  );
}

function givesPromise({ tokens }: Structure, shape: FunctionShape): boolean {
  if (shape.isAsync) return true;
  const first = shape.isExpression ? shape.body.start : shape.body.start + 2;
  const isReturn = shape.isExpression || tokens[shape.body.start + 1]?.text === "return";
  return isReturn && tokens[first]?.text === "new" && tokens[first + 1]?.text === "Promise";
}

function neglect(structure: Structure, open: number): UnawaitedCall["how"] | null {
  const { tokens, partner } = structure;
  const close = partner[open] ?? -1;
  const start = startOfChain(structure, open);
  if (close < 0 || isDefinition(structure, open)) return null;
  const after = tokens[close + 1]?.text;
  const isMember = after === "." || after === "?.";
  const before = tokens[start - 1]?.text ?? ";";
  if (isMember) {
    if (handling.has(tokens[close + 2]?.text ?? "")) return null;
    return before === "await" || before === "(" ? usedInside(before) : "used";
  }
  if (awaiting.has(before) || before === "(" || before === "," || before === ".") return null;
  if (before === "=") return usedLater(structure, start) ? "used" : null;
  return isStatement(structure, start, close) ? "forgotten" : null;
}

/** `(await f()).x` is fine; `(f()).x` is not worth a guess. */
function usedInside(before: string): UnawaitedCall["how"] | null {
  return before === "await" ? "used" : null;
}

function isDefinition({ owners, tokens }: Structure, open: number): boolean {
  return tokens[open - 2]?.text === "function" || owners[open]?.list.start === open + 1;
}

function isStatement({ source, tokens }: Structure, start: number, close: number): boolean {
  const last = tokens[start - 1];
  const first = tokens[start];
  const isOnNewLine = !last || (first !== undefined && source.text.slice(last.end, first.start).includes("\n"));
  const begins = last === undefined || [";", "{", "}", ")"].includes(last.text) || isOnNewLine;
  const next = tokens[close + 1];
  const ends =
    next === undefined ||
    next.text === ";" ||
    next.text === "}" ||
    source.text.slice(tokens[close]?.end ?? 0, next.start).includes("\n");
  return begins && ends;
}

/** `const name = f();` and then `name.property`, with no `await name` in between. */
function usedLater(structure: Structure, start: number): boolean {
  const { tokens } = structure;
  const name = tokens[start - 2];
  if (name?.kind !== "word") return false;
  const end = enclosingFunction(structure, start)?.body.end ?? tokens.length;
  for (let index = endOfExpression(structure, start); index < end; index++) {
    if (tokens[index]?.text !== name.text || tokens[index - 1]?.text === ".") continue;
    if (tokens[index - 1]?.text === "await") return false;
    const isUse = tokens[index + 1]?.text === "." || tokens[index + 1]?.text === "[";
    return isUse && !handling.has(tokens[index + 2]?.text ?? "");
  }
  return false;
}
