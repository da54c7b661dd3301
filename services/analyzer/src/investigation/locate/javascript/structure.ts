import type { SourceText } from "../../source-text.ts";
import { type Token, tokenize } from "./tokens.ts";
import { withoutTypes } from "./types.ts";

/** A function of a file; all numbers but `line` are indexes of tokens. */
export interface FunctionShape {
  /** Null for a callback. */
  readonly name: string | null;
  readonly isAsync: boolean;
  /** The names of its parameters; null for one that is taken apart. */
  readonly parameters: readonly (string | null)[];
  /** Of the parameter list: the first token inside, and the one after its last. */
  readonly list: { readonly start: number; readonly end: number };
  readonly body: { readonly start: number; readonly end: number };
  /** Of the first token: the name or the parameter list. */
  readonly start: number;
  readonly line: number;
  /** An arrow without braces: its body is what it returns. */
  readonly isExpression: boolean;
}

/** The brackets and the functions of one source text. */
export interface Structure {
  readonly source: SourceText;
  readonly tokens: readonly Token[];
  /** For a bracket the index of its partner, -1 when it has none, and -1 for everything else. */
  readonly partner: readonly number[];
  /** In the order of their beginning. */
  readonly functions: readonly FunctionShape[];
  /** For every token the innermost function that holds it. */
  readonly owners: readonly (FunctionShape | null)[];
}

const opening: ReadonlySet<string> = new Set(["(", "[", "{", "${"]);
const closing: ReadonlyMap<string, string> = new Map([
  [")", "("],
  ["]", "["],
  ["}", "{"],
]);
/** Beside what is in brackets. Arrow after arrow would otherwise be read to the end again and again. */
const expressionTokensMax = 200;
/** Words before a `(` that make no function of what follows. */
const statements: ReadonlySet<string> = new Set("if for while switch catch with return await typeof new".split(" "));

/** Reads a text as JavaScript. Linear; tolerant as {@link tokenize} is. */
export function readStructure(source: SourceText): Structure {
  const tokens = withoutTypes(tokenize(source.text));
  const partner = pairBrackets(tokens);
  const shape = { source, tokens, partner };
  const functions = tokens
    .flatMap((_, index) => functionAt(shape, index) ?? [])
    .sort((left, right) => left.start - right.start || right.body.end - left.body.end);
  return { ...shape, functions, owners: ownersOf(tokens.length, functions) };
}

/** The innermost function that holds a token. */
export function enclosingFunction(structure: Structure, index: number): FunctionShape | null {
  return structure.owners[index] ?? null;
}

/** The name that a reader would give to the function around a token: the innermost that has one. */
export function functionNameAt(structure: Structure, index: number): string | null {
  let shape = enclosingFunction(structure, index);
  while (shape && shape.name === null) shape = enclosingFunction(structure, shape.start - 1);
  return shape?.name ?? null;
}

function ownersOf(length: number, functions: readonly FunctionShape[]): (FunctionShape | null)[] {
  const owners = new Array<FunctionShape | null>(length).fill(null);
  const open: FunctionShape[] = [];
  let next = 0;
  for (let index = 0; index < length; index++) {
    while ((open.at(-1)?.body.end ?? Number.POSITIVE_INFINITY) <= index) open.pop();
    for (let shape = functions[next]; shape && shape.start <= index; shape = functions[++next]) open.push(shape);
    owners[index] = open.at(-1) ?? null;
  }
  return owners;
}

export function lineOf(structure: Structure, index: number): number {
  return structure.source.lineAt(structure.tokens[index]?.start ?? 0);
}

/** The indexes of the tokens that begin on a line: first and the one after the last; null when there are none. */
export function tokensOfLine(structure: Structure, line: number): { start: number; end: number } | null {
  const span = structure.source.lines(line, line);
  const start = firstFrom(structure.tokens, span.start);
  const end = firstFrom(structure.tokens, span.end);
  return start < end ? { start, end } : null;
}

/** The first token that begins at or after a position. */
export function firstFrom(tokens: readonly Token[], position: number): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle]?.start ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

function pairBrackets(tokens: readonly Token[]): number[] {
  const partner = new Array<number>(tokens.length).fill(-1);
  const open: number[] = [];
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind !== "punctuation") continue;
    if (opening.has(text)) open.push(index);
    const wanted = closing.get(text);
    if (wanted === undefined) continue;
    const last = open.at(-1);
    const matches =
      last !== undefined && (tokens[last]?.text === wanted || (wanted === "{" && tokens[last]?.text === "${"));
    if (!matches) continue;
    open.pop();
    partner[index] = last;
    partner[last] = index;
  }
  return partner;
}

type Shape = Omit<Structure, "functions" | "owners">;

function functionAt(shape: Shape, index: number): FunctionShape | null {
  const text = shape.tokens[index]?.text;
  if (text === "function" && shape.tokens[index]?.kind === "word") return declaredFunction(shape, index);
  if (text === "=>") return arrow(shape, index);
  if (text === "(") return method(shape, index);
  return null;
}

function declaredFunction(shape: Shape, index: number): FunctionShape | null {
  const { tokens, partner } = shape;
  let open = index + 1;
  if (tokens[open]?.text === "*") open++;
  const named = tokens[open]?.kind === "word" ? tokens[open] : undefined;
  if (named) open++;
  const close = partner[open] ?? -1;
  if (tokens[open]?.text !== "(" || close < 0) return null;
  const body = bodyAfter(shape, close);
  if (!body) return null;
  const isAsync = tokens[index - 1]?.text === "async";
  const name = named?.text ?? assignedName(tokens, isAsync ? index - 1 : index);
  return make(shape, { name, isAsync, open, close, body, start: index, isExpression: false });
}

/** `name(…) {` in a class or an object; `if (…) {` is none. */
function method(shape: Shape, open: number): FunctionShape | null {
  const { tokens, partner } = shape;
  const name = tokens[open - 1];
  const close = partner[open] ?? -1;
  if (close < 0 || name?.kind !== "word" || statements.has(name.text) || name.text === "function") return null;
  const before = tokens[open - 2]?.text;
  if (before === "function" || before === "." || before === "?." || before === "new" || before === "*") return null;
  if (tokens[close + 1]?.text !== "{" && tokens[close + 1]?.text !== ":") return null;
  const body = bodyAfter(shape, close);
  if (!body) return null;
  return make(shape, {
    name: name.text,
    isAsync: before === "async",
    open,
    close,
    body,
    start: open - 1,
    isExpression: false,
  });
}

function arrow(shape: Shape, index: number): FunctionShape | null {
  const { tokens, partner } = shape;
  const last = tokens[index - 1];
  if (!last) return null;
  const isList = last.text === ")";
  const open = isList ? (partner[index - 1] ?? -1) : index - 2;
  if (isList && open < 0) return null;
  const start = isList ? open : index - 1;
  const isAsync = tokens[start - 1]?.text === "async";
  const isBlock = tokens[index + 1]?.text === "{";
  const end = isBlock ? endOfBlock(shape, index + 1) : endOfExpression(shape, index + 1);
  const name = assignedName(tokens, isAsync ? start - 1 : start);
  const body = { start: index + 1, end };
  return make(shape, { name, isAsync, open, close: isList ? index - 1 : index, body, start, isExpression: !isBlock });
}

function bodyAfter(shape: Shape, close: number): { start: number; end: number } | null {
  let start = close + 1;
  // A TypeScript return type stands between the list and the body; it is short.
  if (shape.tokens[start]?.text === ":") {
    const typeTokensMax = 30;
    const limit = start + typeTokensMax;
    while (start < limit && shape.tokens[start] && !["{", ";", "=>", "="].includes(shape.tokens[start]?.text ?? ""))
      start++;
  }
  if (shape.tokens[start]?.text !== "{") return null;
  return { start, end: endOfBlock(shape, start) };
}

/** Unclosed in a window into a file: the function goes on to its end. */
function endOfBlock({ partner, tokens }: Shape, open: number): number {
  const close = partner[open] ?? -1;
  return close < 0 ? tokens.length : close + 1;
}

/** The token after an expression: a comma, a semicolon or a closing bracket of what is around it, or a new statement. */
export function endOfExpression({ tokens, partner, source }: Shape, start: number): number {
  let index = start;
  const limit = Math.min(tokens.length, start + expressionTokensMax);
  while (index < limit) {
    const token = tokens[index];
    if (!token || (token.kind === "punctuation" && [",", ";", ")", "]", "}"].includes(token.text))) return index;
    if (index > start && startsStatement(source, tokens, index)) return index;
    const partnerIndex = partner[index] ?? -1;
    index = partnerIndex > index ? partnerIndex + 1 : index + 1;
  }
  return index;
}

/** A word on a new line after something that can end a statement. */
function startsStatement(source: SourceText, tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  const last = tokens[index - 1];
  if (token?.kind !== "word" || !last || ["in", "of", "instanceof", "as"].includes(token.text)) return false;
  const canEnd = last.kind !== "punctuation" || [")", "]", "}"].includes(last.text);
  return canEnd && !beforeOperand.has(last.text) && source.text.slice(last.end, token.start).includes("\n");
}

const beforeOperand: ReadonlySet<string> = new Set("return await new typeof void delete throw yield in of".split(" "));

/** The name that an anonymous function is given: `name = …`, `name: …`, `exports.name = …`. */
function assignedName(tokens: readonly Token[], start: number): string | null {
  const sign = tokens[start - 1]?.text;
  const target = tokens[start - 2];
  const isNamed = (sign === "=" || sign === ":") && target?.kind === "word" && !statements.has(target.text);
  return isNamed ? target.text : null;
}

interface FoundFunction {
  readonly name: string | null;
  readonly isAsync: boolean;
  readonly open: number;
  readonly close: number;
  readonly body: { readonly start: number; readonly end: number };
  readonly start: number;
  readonly isExpression: boolean;
}

function make(shape: Shape, { open, close, ...found }: FoundFunction): FunctionShape {
  const list = { start: open + 1, end: close };
  const line = shape.source.lineAt(shape.tokens[found.start]?.start ?? 0);
  return { ...found, list, parameters: parameterNames(shape, list), line };
}

function parameterNames(shape: Shape, { start, end }: { start: number; end: number }): (string | null)[] {
  const names: (string | null)[] = [];
  for (let index = start; index < end; ) {
    const rest = shape.tokens[index]?.text === "..." ? index + 1 : index;
    const token = shape.tokens[rest];
    names.push(token?.kind === "word" ? token.text : null);
    index = endOfParameter(shape, index, end) + 1;
  }
  return names;
}

/** The comma after a parameter; the one in `Record<string, number>` is none. */
function endOfParameter({ tokens, partner }: Shape, start: number, end: number): number {
  let angles = 0;
  for (let index = start; index < end; ) {
    const text = tokens[index]?.text;
    if (text === "<") angles++;
    else if (text === ">") angles--;
    else if (text === "," && angles <= 0) return index;
    const other = partner[index] ?? -1;
    index = other > index ? other + 1 : index + 1;
  }
  return end;
}
