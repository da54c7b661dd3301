import type { CodePlace, LocatedFrame } from "../findings.ts";
import { type Definition, findDefinition, findExport } from "./javascript/definitions.ts";
import { type Expression, type Range, readExpression, startOfChain } from "./javascript/expressions.ts";
import { type FunctionShape, type Structure, tokensOfLine } from "./javascript/structure.ts";
import type { SourceFiles } from "./source-files.ts";

/** A call in the code: where its arguments open, and the frame that it is seen in. */
export interface CallSite {
  readonly structure: Structure;
  readonly open: number;
  readonly frame: LocatedFrame | null;
}

/** A function and the text that it is in. */
export interface FoundFunction {
  readonly structure: Structure;
  readonly shape: FunctionShape;
}

/** A name that so many functions bear means none of them for sure. */
const sameNameMax = 2;
/** Modules may hand a name on in a circle. */
const importsMax = 5;
/** With more calls than these none is more likely than the others. */
const callersMax = 3;

/**
 * The calls of a function: the one on the stack when it is seen there, else those in the given code when they are few.
 * `frames` are one stack, innermost first; `frame` is the one that the function runs in, when it is known.
 */
export function callersOf(
  files: SourceFiles,
  frames: readonly LocatedFrame[],
  { structure, shape }: FoundFunction,
  frame: LocatedFrame | null,
): CallSite[] {
  const own = frame ?? frames.find(({ place }) => place !== null && isInside(structure, shape, place));
  const caller =
    own && frames.find(({ index, place }) => index > own.index && place !== null && !isInside(structure, shape, place));
  const site = caller && callAt(files, caller, shape.name);
  if (caller && site) return [site];
  const written = shape.name === null ? [] : callsOf(files, shape.name);
  return written.length <= callersMax ? written : [];
}

/** The function that a call means, when it was given: in the same text, imported, or the only one of its name. */
export function calleeOf(
  files: SourceFiles,
  structure: Structure,
  call: Expression & { kind: "call" },
): FoundFunction | null {
  if (call.name === null) return null;
  const isPlain = call.callee.end - call.callee.start === 1;
  const definition = isPlain ? findDefinition(structure, call.name, call.at) : null;
  const found = definition ? functionOf(files, structure, definition) : null;
  if (found || definition?.kind === "parameter") return found;
  const named = files
    .structures()
    .flatMap((other) =>
      other.functions.filter(({ name }) => name === call.name).map((shape) => ({ structure: other, shape })),
    );
  const sameText = named.find((one) => one.structure === structure);
  return sameText ?? (named.length <= sameNameMax ? named[0] : undefined) ?? null;
}

/** The function that a definition gives a name to, through imports. */
export function functionOf(
  files: SourceFiles,
  structure: Structure,
  definition: Definition,
  imports = 0,
): FoundFunction | null {
  if (definition.kind === "function") return { structure, shape: definition.shape };
  const required = definition.kind === "value" ? requiredBy(structure, definition) : null;
  const from = definition.kind === "import" ? definition : required;
  const file = from && files.resolve(structure.source.name, from.specifier);
  const target = file && files.structure(file);
  const exported = target && findExport(target, from.exported);
  return target && exported && imports < importsMax ? functionOf(files, target, exported, imports + 1) : null;
}

/** The module of the user's own that a called function is imported from, when it was not given. */
export function unseenModuleOf(
  files: SourceFiles,
  structure: Structure,
  call: Expression & { kind: "call" },
): string | null {
  if (call.name === null || call.callee.end - call.callee.start > 1) return null;
  const definition = findDefinition(structure, call.name, call.at);
  const required = definition?.kind === "value" ? requiredBy(structure, definition) : null;
  const from = definition?.kind === "import" ? definition : required;
  if (!from?.specifier.startsWith(".")) return null;
  return files.resolve(structure.source.name, from.specifier) ? null : from.specifier;
}

/** The text of a string literal that is a whole expression. */
export function stringOf({ tokens }: Structure, range: Range | undefined): string | null {
  const token = range && range.end - range.start === 1 ? tokens[range.start] : undefined;
  return token?.kind === "string" ? token.text.slice(1, -1) : null;
}

/** The collection whose method was given this function: `list` in `list.map((a) => …)`. */
export function receiverOfCallback(structure: Structure, shape: FunctionShape): Range | null {
  if (shape.name !== null) return null;
  const { tokens } = structure;
  let open = shape.start - 1;
  if (tokens[open]?.text === "async") open--;
  const method = tokens[open - 1];
  if (tokens[open]?.text !== "(" || method?.kind !== "word" || tokens[open - 2]?.text !== ".") return null;
  const end = open - 2;
  const start = startOfChain(structure, end);
  return start < end ? { start, end } : null;
}

function callAt(files: SourceFiles, located: LocatedFrame, name: string | null): CallSite | null {
  const { place, frame } = located;
  const structure = place && files.structure(place.source);
  const line = structure && tokensOfLine(structure, place.line);
  if (!structure || !line) return null;
  const column = frame.column === null ? null : place.source.lines(place.line, place.line).start + frame.column - 1;
  const opens: number[] = [];
  for (let index = line.start; index < line.end + 1; index++) {
    if (structure.tokens[index]?.text === "(" && structure.tokens[index - 1]?.kind === "word") opens.push(index);
  }
  const named = opens.find((open) => structure.tokens[open - 1]?.text === name);
  const atColumn = opens.find((open) => column !== null && (structure.tokens[open - 1]?.start ?? 0) >= column);
  const open = named ?? atColumn ?? opens[0];
  return open === undefined ? null : { structure, open, frame: located };
}

function callsOf(files: SourceFiles, name: string): CallSite[] {
  return files.structures().flatMap((structure) =>
    structure.tokens.flatMap((token, index) => {
      const isCall = token.text === name && token.kind === "word" && structure.tokens[index + 1]?.text === "(";
      const isDefinition = structure.owners[index + 1]?.list.start === index + 2;
      return isCall && !isDefinition ? [{ structure, open: index + 1, frame: null }] : [];
    }),
  );
}

/** `const { a } = require("x")`, and `const a = require("x")`. */
function requiredBy(
  structure: Structure,
  { value, property }: Definition & { kind: "value" },
): { exported: string; specifier: string } | null {
  const { expression } = readExpression(structure, value);
  if (expression.kind !== "call" || expression.name !== "require") return null;
  const specifier = stringOf(structure, expression.arguments[0]);
  return specifier === null ? null : { exported: property ?? "default", specifier };
}

function isInside({ source, tokens }: Structure, shape: FunctionShape, place: CodePlace): boolean {
  if (place.source !== source) return false;
  const last = source.lineAt(tokens[shape.body.end - 1]?.start ?? 0);
  return shape.line <= place.line && place.line <= last;
}
