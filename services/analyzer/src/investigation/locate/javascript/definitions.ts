import { type Range, valueOfKey } from "./expressions.ts";
import { enclosingFunction, endOfExpression, type FunctionShape, type Structure } from "./structure.ts";

/** How a name came by its value. */
export type Definition =
  /** `name = value`, or taken out of `value` under `property`. */
  | { readonly kind: "value"; readonly value: Range; readonly property: string | null; readonly at: number }
  | {
      readonly kind: "parameter";
      readonly shape: FunctionShape;
      readonly position: number;
      readonly property: string | null;
    }
  | { readonly kind: "iteration"; readonly value: Range; readonly at: number }
  | { readonly kind: "function"; readonly shape: FunctionShape }
  /** Imported: what it is called there (`default` and `*` too), and from where. */
  | { readonly kind: "import"; readonly exported: string; readonly specifier: string; readonly at: number };

/** Functions within functions that are looked through before the module is. */
const scopesMax = 20;
const declarators: ReadonlySet<string> = new Set(["const", "let", "var"]);
const assignments: ReadonlySet<string> = new Set(["=", "??=", "||=", "&&="]);

/**
 * Where the name that is used at a token was given its value: the last assignment before it in the innermost function
 * that has one, a parameter, then outwards to the module. Null when this text does not show it.
 */
export function findDefinition(structure: Structure, name: string, usedAt: number): Definition | null {
  let shape = enclosingFunction(structure, usedAt);
  for (let scopes = 0; shape && scopes < scopesMax; scopes++) {
    const found = definitionIn(structure, shape, name, usedAt);
    if (found) return found;
    shape = parentOf(structure, shape);
  }
  return definitionIn(structure, null, name, usedAt);
}

/** Every `target.property = value` of a text, the nearest before `usedAt` first. */
export function findPropertyWrites(structure: Structure, property: string, usedAt: number): Range[] {
  const { tokens } = structure;
  const writes: { at: number; value: Range }[] = [];
  for (let index = 1; index < tokens.length - 1; index++) {
    if (tokens[index]?.text !== property || tokens[index - 1]?.text !== ".") continue;
    if (!assignments.has(tokens[index + 1]?.text ?? "")) continue;
    writes.push({ at: index, value: { start: index + 2, end: endOfExpression(structure, index + 2) } });
  }
  const distance = (at: number): number => (at < usedAt ? usedAt - at : tokens.length + at - usedAt);
  return writes.sort((left, right) => distance(left.at) - distance(right.at)).map(({ value }) => value);
}

/** What is pushed into the list that a name stands for, within the function that uses it. */
export function findPushes(structure: Structure, name: string, usedAt: number): Range[] {
  const { tokens } = structure;
  const range = enclosingFunction(structure, usedAt)?.body ?? { start: 0, end: tokens.length };
  const found: Range[] = [];
  for (let index = range.start; index < range.end - 4; index++) {
    const isPush = tokens[index]?.text === name && ["push", "unshift"].includes(tokens[index + 2]?.text ?? "");
    const close = structure.partner[index + 3] ?? -1;
    if (isPush && tokens[index + 1]?.text === "." && close > index) found.push({ start: index + 4, end: close });
  }
  return found;
}

/** What a module gives out under a name: a function, or the value of `exports.name`, `export const name`, `{ name }`. */
export function findExport(structure: Structure, exported: string): Definition | null {
  const { tokens } = structure;
  const byName = structure.functions.find(({ name }) => name === exported);
  if (exported !== "default" && exported !== "*") {
    if (byName) return { kind: "function", shape: byName };
    return definitionIn(structure, null, exported, tokens.length) ?? keyOfModule(structure, exported);
  }
  for (let index = 0; index < tokens.length - 2; index++) {
    const isModule = tokens[index]?.text === "exports" && tokens[index + 1]?.text === "=";
    const isDefault = tokens[index]?.text === "export" && tokens[index + 1]?.text === "default";
    if (!isModule && !isDefault) continue;
    const shape = structure.functions.find(({ start }) => start >= index + 2 && start <= index + 4);
    if (shape) return { kind: "function", shape };
    return {
      kind: "value",
      value: { start: index + 2, end: endOfExpression(structure, index + 2) },
      property: null,
      at: index,
    };
  }
  return null;
}

/** `module.exports = { name: value }`. */
function keyOfModule(structure: Structure, exported: string): Definition | null {
  const whole = findExport(structure, "default");
  if (whole?.kind !== "value") return null;
  const value = valueOfKey(structure, whole.value.start, exported);
  return value && { kind: "value", value, property: null, at: value.start };
}

function parentOf(structure: Structure, shape: FunctionShape): FunctionShape | null {
  return enclosingFunction(structure, shape.start - 1);
}

function definitionIn(
  structure: Structure,
  shape: FunctionShape | null,
  name: string,
  usedAt: number,
): Definition | null {
  const range = shape ? shape.body : { start: 0, end: structure.tokens.length };
  // A function sees what its module defines below it; inside a function only what stands above counts.
  const limit = shape && shape === enclosingFunction(structure, usedAt) ? Math.min(usedAt, range.end) : range.end;
  let last: Definition | null = null;
  for (let index = range.start; index < limit; index++) {
    if (structure.tokens[index]?.text !== name) continue;
    if (enclosingFunction(structure, index) !== shape && !isOwnName(structure, index, shape)) continue;
    const found = definitionAt(structure, index, name);
    // `list = [].concat(list)`: the value on the right is the one from before.
    const isItself = found?.kind === "value" && found.value.start <= usedAt && usedAt < found.value.end;
    if (found && !isItself) last = found;
  }
  return last ?? (shape ? parameterOf(structure, shape, name) : null);
}

function isOwnName(structure: Structure, index: number, shape: FunctionShape | null): boolean {
  // A function's own name belongs to whoever surrounds the function.
  const owner = enclosingFunction(structure, index);
  const isItsName = owner !== null && owner.name !== null && index < owner.list.start;
  return isItsName && parentOf(structure, owner) === shape;
}

function definitionAt(structure: Structure, index: number, name: string): Definition | null {
  const { tokens } = structure;
  const before = tokens[index - 1]?.text ?? "";
  const after = tokens[index + 1]?.text ?? "";
  if (before === "." || before === "?.") return null;
  if (before === "function" || (before === "*" && tokens[index - 2]?.text === "function")) {
    const shape = structure.functions.find((one) => one.name === name && one.start <= index && index <= one.list.start);
    return shape ? { kind: "function", shape } : null;
  }
  if (assignments.has(after)) {
    const value = { start: index + 2, end: endOfExpression(structure, index + 2) };
    const shape = structure.functions.find((one) => one.name === name && one.start >= index && one.start <= index + 4);
    return shape ? { kind: "function", shape } : { kind: "value", value, property: null, at: index };
  }
  const annotated = declarators.has(before) && after === ":" ? endOfAnnotation(structure, index + 2) : -1;
  if (annotated >= 0) {
    return {
      kind: "value",
      value: { start: annotated + 1, end: endOfExpression(structure, annotated + 1) },
      property: null,
      at: index,
    };
  }
  if (after === "of" && (declarators.has(before) || before === "(")) return iterationAt(structure, index);
  return importAt(structure, index, name) ?? patternAt(structure, index, name);
}

/** The `=` after the type in `const name: Type = value`. */
function endOfAnnotation({ tokens, partner }: Structure, start: number): number {
  const typeTokensMax = 60;
  for (let index = start; index < Math.min(tokens.length, start + typeTokensMax); ) {
    const text = tokens[index]?.text;
    if (text === "=") return index;
    if (text === ";" || text === undefined) return -1;
    const other = partner[index] ?? -1;
    index = other > index ? other + 1 : index + 1;
  }
  return -1;
}

function iterationAt(structure: Structure, index: number): Definition {
  return { kind: "iteration", value: { start: index + 2, end: endOfExpression(structure, index + 2) }, at: index };
}

/** `import name from "x"`, `import { a as name } from "x"`, `import * as name from "x"`. */
function importAt({ tokens }: Structure, index: number, name: string): Definition | null {
  let start = index - 1;
  while (
    start >= 0 &&
    index - start < 200 &&
    (tokens[start]?.kind === "word" || [",", "{", "}", "*"].includes(tokens[start]?.text ?? ""))
  ) {
    if (tokens[start]?.text === "import") break;
    start--;
  }
  if (tokens[start]?.text !== "import") return null;
  let end = index;
  while (end < tokens.length && end - index < 200 && tokens[end]?.text !== "from") end++;
  const specifier = tokens[end + 1];
  if (specifier?.kind !== "string") return null;
  const isAlias = tokens[index - 1]?.text === "as";
  const original = isAlias ? (tokens[index - 2]?.text ?? name) : name;
  const isInBraces = tokens.slice(start, index).some(({ text }) => text === "{");
  const exported = original === "*" ? "*" : isInBraces ? original : "default";
  return { kind: "import", exported, specifier: specifier.text.slice(1, -1), at: index };
}

/** `const { name } = value`, `const { property: name } = value`, `const [name] = value`, and in `for (const { name } of …)`. */
function patternAt(structure: Structure, index: number, name: string): Definition | null {
  const { tokens } = structure;
  const open = openBracket(structure, index);
  if (open < 0 || !["{", "["].includes(tokens[open]?.text ?? "")) return null;
  const close = structure.partner[open] ?? -1;
  const after = tokens[close + 1]?.text ?? "";
  if (!declarators.has(tokens[open - 1]?.text ?? "") || (after !== "=" && after !== "of")) return null;
  const isRenamed = tokens[index - 1]?.text === ":";
  const property = tokens[open]?.text === "[" ? null : isRenamed ? (tokens[index - 2]?.text ?? name) : name;
  const value = { start: close + 2, end: endOfExpression(structure, close + 2) };
  return { kind: "value", value, property, at: index };
}

/** The innermost bracket that is open at a token; looks back as far as a pattern may reach. */
function openBracket({ tokens, partner }: Structure, index: number): number {
  const patternTokensMax = 120;
  for (let at = index - 1; at >= 0 && index - at < patternTokensMax; at--) {
    const other = partner[at] ?? -1;
    if (other >= 0 && other < at) at = other;
    else if (other > index) return at;
    else if (tokens[at]?.text === ";") return -1;
  }
  return -1;
}

function parameterOf(structure: Structure, shape: FunctionShape, name: string): Definition | null {
  const position = shape.parameters.indexOf(name);
  if (position >= 0) return { kind: "parameter", shape, position, property: null };
  let argument = 0;
  for (let index = shape.list.start; index < shape.list.end; index++) {
    const other = structure.partner[index] ?? -1;
    if (structure.tokens[index]?.text === ",") argument++;
    if (other <= index) continue;
    for (let inner = index + 1; inner < other; inner++) {
      if (structure.tokens[inner]?.text !== name) continue;
      const isRenamed = structure.tokens[inner - 1]?.text === ":";
      const property = isRenamed ? (structure.tokens[inner - 2]?.text ?? name) : name;
      return { kind: "parameter", shape, position: argument, property };
    }
    index = other;
  }
  return null;
}
