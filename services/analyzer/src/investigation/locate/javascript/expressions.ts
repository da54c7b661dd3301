import { endOfExpression, type FunctionShape, type Structure } from "./structure.ts";

/** Some tokens of a structure: from the first to the one after the last. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** An expression, taken apart as far as tracing needs it. */
export type Expression =
  | { readonly kind: "name"; readonly name: string; readonly at: number }
  /** `receiver.property`; the receiver is an expression of its own. */
  | { readonly kind: "member"; readonly receiver: Range; readonly property: string | null }
  | {
      readonly kind: "call";
      readonly callee: Range;
      readonly name: string | null;
      readonly arguments: readonly Range[];
      readonly at: number;
    }
  | { readonly kind: "literal"; readonly isNullish: boolean; readonly isObject: boolean }
  | { readonly kind: "template" }
  | { readonly kind: "function" }
  | { readonly kind: "other" };

/** An expression with what stood before it. */
export interface ReadExpression {
  readonly expression: Expression;
  readonly isAwaited: boolean;
  readonly isNew: boolean;
  /** Other values that it may have: the right side of `??` and `||`, both branches of a condition. */
  readonly alternatives: readonly Range[];
}

const choices: ReadonlySet<string> = new Set(["??", "||", "&&", "?", ":"]);

/** Reads an expression from its tokens. */
export function readExpression(structure: Structure, range: Range): ReadExpression {
  const { tokens } = structure;
  let { start, end } = range;
  let isAwaited = false;
  let isNew = false;
  for (; start < end; start++) {
    const text = tokens[start]?.text;
    if (text === "await") isAwaited = true;
    else if (text === "new") isNew = true;
    else if (text === "(" && structure.partner[start] === end - 1) end--;
    else break;
  }
  const parts = splitChoices(structure, { start, end });
  const first = parts[0] ?? { start, end };
  return { expression: readChain(structure, first), isAwaited, isNew, alternatives: parts.slice(1) };
}

/** The source text of some tokens, at most `unitsMax` of it, on one line. */
export function textOf({ source, tokens }: Structure, { start, end }: Range, unitsMax = 80): string {
  const from = tokens[start]?.start ?? 0;
  const to = tokens[end - 1]?.end ?? from;
  const text = source.text.slice(from, Math.min(to, from + unitsMax * 4)).replace(/\s+/g, " ");
  return text.length > unitsMax ? `${text.slice(0, unitsMax - 1)}…` : text;
}

/** The chain of names, calls and indexes that ends before `end`: its first token. */
export function startOfChain({ tokens, partner }: Structure, end: number): number {
  let index = end - 1;
  for (;;) {
    const token = tokens[index];
    if (token && (token.text === ")" || token.text === "]")) {
      const open = partner[index] ?? -1;
      if (open < 0) return index + 1;
      const before = tokens[open - 1];
      const continues =
        before?.kind === "word" || before?.text === ")" || before?.text === "]" || before?.text === "?.";
      const isProperty = [".", "?."].includes(tokens[open - 2]?.text ?? "");
      if (!continues || (before.kind === "word" && !isProperty && !isName(before.text))) return open;
      index = before.text === "?." ? open - 2 : open - 1;
      continue;
    }
    if (token?.kind !== "word" && token?.kind !== "string" && token?.kind !== "template") return index + 1;
    const before = tokens[index - 1]?.text;
    if (before !== "." && before !== "?.") return index;
    index -= 2;
  }
}

/** The arguments between the parentheses that open at a token. */
export function argumentsOf(structure: Structure, open: number): Range[] {
  const close = structure.partner[open] ?? -1;
  if (close < 0) return [];
  const found: Range[] = [];
  for (let start = open + 1; start < close; ) {
    const end = Math.min(endOfArgument(structure, start, close), close);
    found.push({ start, end });
    start = end + 1;
  }
  return found;
}

/** The values that a function may return: of an arrow without braces its body. Null stands for a bare `return`. */
export function returnsOf(structure: Structure, shape: FunctionShape): (Range | null)[] {
  if (shape.isExpression) return [shape.body];
  const found: (Range | null)[] = [];
  for (let index = shape.body.start; index < shape.body.end; index++) {
    const token = structure.tokens[index];
    if (token?.text === "return" && token.kind === "word" && structure.owners[index] === shape) {
      const end = endOfExpression(structure, index + 1);
      found.push(end > index + 1 && !isOnNextLine(structure, index) ? { start: index + 1, end } : null);
    }
  }
  return found;
}

/**
 * Whether a function may end without a `return`: nothing returns or throws at the level of its body, and it does not
 * end with a statement (`else`, `switch`, `try`, a loop) that may do so on every way.
 */
export function fallsThrough({ tokens, partner }: Structure, { body, isExpression }: FunctionShape): boolean {
  const last = body.end - 2;
  if (isExpression || partner[body.start] !== body.end - 1) return false;
  if (tokens[last]?.text === "}" && !endsWithIf({ tokens, partner }, partner[last] ?? -1)) return false;
  for (let index = body.start + 1; index < body.end - 1; ) {
    const token = tokens[index];
    const isExit = token?.kind === "word" && (token.text === "return" || token.text === "throw");
    if (isExit && !isGuarded({ tokens, partner }, index)) return false;
    const other = partner[index] ?? -1;
    index = other > index ? other + 1 : index + 1;
  }
  return true;
}

/** Whether the block that opens at a token belongs to an `if` and to no `else`. */
function endsWithIf({ tokens, partner }: Pick<Structure, "tokens" | "partner">, open: number): boolean {
  const condition = tokens[open - 1]?.text === ")" ? (partner[open - 1] ?? -1) : -1;
  return condition > 0 && tokens[condition - 1]?.text === "if";
}

/** `if (…) return`: the statement without braces. */
function isGuarded(structure: Pick<Structure, "tokens" | "partner">, at: number): boolean {
  return structure.tokens[at - 1]?.text === "else" || endsWithIf(structure, at);
}

/** The value of a key in the object literal that opens at a token: its range, or null when it has no such key. */
export function valueOfKey(structure: Structure, open: number, key: string): Range | null {
  const close = structure.partner[open] ?? -1;
  for (let index = open + 1; index < close; ) {
    const token = structure.tokens[index];
    const name = token?.kind === "string" ? token.text.slice(1, -1) : token?.text;
    const next = structure.tokens[index + 1]?.text;
    if (name === key && next === ":") return { start: index + 2, end: endOfExpression(structure, index + 2) };
    if (name === key && (next === "," || next === "}")) return { start: index, end: index + 1 };
    index = nextEntry(structure, index, close);
  }
  return null;
}

/** The values of all keys of the object literal that opens at a token. */
export function valuesOf(structure: Structure, open: number): { readonly key: string; readonly value: Range }[] {
  const close = structure.partner[open] ?? -1;
  const found: { key: string; value: Range }[] = [];
  for (let index = open + 1; index < close; index = nextEntry(structure, index, close)) {
    const token = structure.tokens[index];
    if (token?.kind !== "word" && token?.kind !== "string") continue;
    const key = token.kind === "string" ? token.text.slice(1, -1) : token.text;
    const value = valueOfKey(structure, open, key);
    if (value) found.push({ key, value });
  }
  return found;
}

/** What is spread into the object literal that opens at a token. */
export function spreadsOf(structure: Structure, open: number): Range[] {
  const close = structure.partner[open] ?? -1;
  const found: Range[] = [];
  for (let index = open + 1; index < close; index = nextEntry(structure, index, close)) {
    if (structure.tokens[index]?.text === "...")
      found.push({ start: index + 1, end: nextEntry(structure, index, close) - 1 });
  }
  return found;
}

export function isName(text: string): boolean {
  return !reserved.has(text);
}

const reserved: ReadonlySet<string> = new Set(
  "return await new typeof void delete throw yield in of if for while switch catch else do case instanceof const let var import export default async function class extends".split(
    " ",
  ),
);

function isOnNextLine({ source, tokens }: Structure, index: number): boolean {
  const token = tokens[index];
  const next = tokens[index + 1];
  return !token || !next || source.text.slice(token.end, next.start).includes("\n");
}

function endOfArgument({ tokens, partner }: Structure, start: number, close: number): number {
  let index = start;
  while (index < close && tokens[index]?.text !== ",") {
    const other = partner[index] ?? -1;
    index = other > index ? other + 1 : index + 1;
  }
  return index;
}

function nextEntry(structure: Structure, index: number, close: number): number {
  return endOfArgument(structure, index, close) + 1;
}

/** The parts of `a ?? b`, `a || b`, `c ? a : b` that can be the value. */
function splitChoices({ tokens, partner }: Structure, { start, end }: Range): Range[] {
  const parts: Range[] = [];
  let from = start;
  let isCondition = false;
  for (let index = start; index < end; ) {
    const token = tokens[index];
    if (token?.kind === "punctuation" && choices.has(token.text)) {
      if (token.text === "?") isCondition = true;
      else parts.push({ start: from, end: index });
      from = index + 1;
    }
    const other = partner[index] ?? -1;
    index = other > index ? other + 1 : index + 1;
  }
  parts.push({ start: from, end });
  return isCondition || parts.length > 1 ? parts.filter((part) => part.start < part.end) : parts;
}

function readChain(structure: Structure, range: Range): Expression {
  const { tokens, partner } = structure;
  const first = tokens[range.start];
  const last = tokens[range.end - 1];
  if (!first || !last) return { kind: "other" };
  if (
    structure.functions.some(
      ({ start, body }) => start >= range.start && start <= range.start + 3 && body.end === range.end,
    )
  ) {
    return { kind: "function" };
  }
  if (range.end - range.start === 1) return readSingle(structure, range.start);
  if (first.kind === "template") return { kind: "template" };
  const opens = partner[range.end - 1] ?? -1;
  if (opens === range.start) return { kind: "literal", isNullish: false, isObject: first.text === "{" };
  if (startOfChain(structure, range.end) > range.start) return { kind: "other" };
  if (last.text === ")" && opens > range.start) return readCall(structure, range, opens);
  if (last.text === "]" && opens > range.start) {
    const index = tokens[opens + 1];
    const property = index?.kind === "string" || index?.kind === "number" ? index.text.replace(/['"]/g, "") : null;
    return { kind: "member", receiver: { start: range.start, end: opens }, property };
  }
  return { kind: "member", receiver: { start: range.start, end: range.end - 2 }, property: last.text };
}

function readSingle({ tokens }: Structure, at: number): Expression {
  const token = tokens[at];
  if (!token) return { kind: "other" };
  if (token.kind === "word") {
    if (["undefined", "null"].includes(token.text)) return { kind: "literal", isNullish: true, isObject: false };
    if (["true", "false"].includes(token.text)) return { kind: "literal", isNullish: false, isObject: false };
    return { kind: "name", name: token.text, at };
  }
  return token.kind === "punctuation" ? { kind: "other" } : { kind: "literal", isNullish: false, isObject: false };
}

function readCall(structure: Structure, range: Range, open: number): Expression {
  const end = structure.tokens[open - 1]?.text === "?." ? open - 1 : open;
  const callee = { start: range.start, end };
  const word = structure.tokens[end - 1];
  const name = word?.kind === "word" ? word.text : null;
  return { kind: "call", callee, name, arguments: argumentsOf(structure, open), at: end - 1 };
}
