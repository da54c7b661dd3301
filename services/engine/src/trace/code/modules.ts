import { memberModule } from "../../source/languages/languages.ts";
import type { SourceText } from "../../source/source-text.ts";
import type { Codebase } from "./codebase.ts";
import { argumentsOf, keyText, lastName, plain } from "./expressions.ts";
import { type CodeNode, is, part } from "./ir.ts";
import type { Program } from "./program.ts";
import { type Binding, resolve, resolveInModule } from "./scopes.ts";

/** What is imported from a module; `path` is empty for all of it. */
export interface Imported {
  readonly specifier: string;
  readonly path: readonly string[];
}

/** What a module exports: a value in a code file and the path still to be read from it, or a data file. */
export type Exported =
  | { readonly kind: "value"; readonly program: Program; readonly node: CodeNode; readonly path: readonly string[] }
  | { readonly kind: "data"; readonly source: SourceText };

type Local = { readonly node: CodeNode } | { readonly specifier: string; readonly path: readonly string[] };

interface Exports {
  readonly named: ReadonlyMap<string, Local>;
  /** `module.exports = …` */
  readonly whole: readonly Local[];
  /** `export * from` */
  readonly stars: readonly string[];
}

/** Maximum re-exports that are followed, because modules may form a cycle. */
const handedOnMax = 6;
const exportsOfPrograms = new WeakMap<Program, Exports>();

/** Returns the module, or part of one, that a name refers to; null when it is defined in this file. */
export function importedBy({ kind, node, writes }: Binding): Imported | null {
  if (kind === "import") {
    const specifier = node.parent?.name;
    if (!specifier) return null;
    return { specifier, path: node.name === "*" || node.name === null ? [] : [node.name] };
  }
  if (kind !== "variable") return null;
  for (const { value, path } of writes) {
    const required = value && requiredBy(value);
    if (required) return { specifier: required.specifier, path: [...required.path, ...path] };
  }
  return null;
}

/** Returns the module of `require("./x")`, `interop(require("./x"))`, `require("./x").y`, `await import("./x")`. */
export function requiredBy(value: CodeNode): Imported | null {
  const node = plain(value);
  if (node.kind === "member") {
    const on = part(node, "on");
    const outer = on && requiredBy(on);
    return outer && node.name !== null ? { specifier: outer.specifier, path: [...outer.path, node.name] } : null;
  }
  if (node.kind !== "call") return null;
  const [first] = argumentsOf(node);
  if (!first) return null;
  if (node.name === "require" || node.name === "require_relative" || node.name === "import") {
    const text = keyText(first.value);
    const isRelative = node.name === "require_relative" && text?.startsWith(".") === false;
    return text === null ? null : { specifier: isRelative ? `./${text}` : text, path: [] };
  }
  return /^_*(?:interop|import|toESM|require)/.test(node.name ?? "") ? requiredBy(first.value) : null;
}

/** Returns what `path` of a module refers to, through any re-exports. */
export function findExports(
  codebase: Codebase,
  from: Program,
  { specifier, path }: Imported,
  depth = 0,
): readonly Exported[] {
  if (depth > handedOnMax) return [];
  if (from.dialect.exports !== "listed") return exportsOfPackage(codebase, from, { specifier, path });
  const source = codebase.files.resolve(from.source.name, specifier);
  if (!source) return [];
  const program = codebase.of(source);
  if (program) return exportsOfModule(codebase, program, path, depth);
  return [{ kind: "data", source }];
}

function exportsOfModule(
  codebase: Codebase,
  program: Program,
  path: readonly string[],
  depth: number,
): readonly Exported[] {
  const { named, whole, stars } = readExports(program);
  const [name, ...rest] = path;
  const given = (local: Local, left: readonly string[]): readonly Exported[] =>
    "node" in local
      ? [{ kind: "value", program, node: local.node, path: left }]
      : findExports(codebase, program, { ...local, path: [...local.path, ...left] }, depth + 1);
  const own = name === undefined ? undefined : named.get(name);
  if (own) return given(own, rest);
  const left = name === "default" ? rest : path;
  const found = whole.flatMap((local) => given(local, left));
  if (found.length > 0) return found;
  for (const star of stars) {
    const handedOn = findExports(codebase, program, { specifier: star, path }, depth + 1);
    if (handedOn.length > 0) return handedOn;
  }
  const [first] = path;
  return first === "default" || first === undefined ? [] : wholeOfModule(codebase, program, path, depth);
}

/** Resolves `import * as all from "./all.js"; all.default.name` and `const all = await import(…)`. */
function wholeOfModule(
  codebase: Codebase,
  program: Program,
  path: readonly string[],
  depth: number,
): readonly Exported[] {
  const [name, ...rest] = path;
  return name === "default" ? exportsOfModule(codebase, program, rest, depth + 1) : [];
}

/**
 * Returns the exported names of a module, when all of them are known: no `export *`, nothing computed, the whole file
 * read.
 */
export function exportedNames(program: Program): ReadonlySet<string> | null {
  const { named, whole, stars } = readExports(program);
  if (program.isPart || stars.length > 0) return null;
  const [only] = whole;
  if (!only) return named.size > 0 ? new Set(named.keys()) : null;
  const object = whole.length === 1 && "node" in only ? plain(only.node) : null;
  if (object?.kind !== "object" || object.children.some(({ kind, name }) => kind === "spread" || name === null))
    return null;
  return new Set([...named.keys(), ...object.children.flatMap(({ name }) => name ?? [])]);
}

/** Returns where a module would export a name: its declaration, or else the exports. */
export function exportSite(program: Program, name: string): CodeNode {
  const local = resolveInModule(program, name);
  const { whole } = readExports(program);
  const [first] = whole.flatMap((one) => ("node" in one ? [one.node] : []));
  return (
    local?.node ??
    first ??
    program.exports.at(-1) ??
    program.tree.children.findLast((one) => is(one, "exported")) ??
    program.tree
  );
}

/** Returns whether a file exports a function. */
export function isExported(program: Program, node: CodeNode, name: string | null): boolean {
  if (is(node, "exported")) return true;
  const { exports } = program.dialect;
  if (exports !== "listed") return name !== null && exports.test(name);
  const { named, whole } = readExports(program);
  const owner = node.parent?.kind === "assign" ? part(node.parent, "target") : null;
  if (owner && /^(?:exports|default)$/.test(lastName(owner) ?? "")) return true;
  const values = [...named.values(), ...whole].flatMap((one) => ("node" in one ? [plain(one.node)] : []));
  return (
    (name !== null && named.has(name)) ||
    values.some((one) => one === node || (one.kind === "name" && one.name === name))
  );
}

function readExports(program: Program): Exports {
  const known = exportsOfPrograms.get(program);
  if (known) return known;
  const named = new Map<string, Local>();
  const whole: Local[] = [];
  const stars: string[] = [];
  for (const node of program.exports) readExport(node, named, stars);
  for (const node of program.tree.children) readDeclaration(node, named);
  for (const writes of program.fieldWrites.values()) {
    for (const { on, name, value } of writes) {
      if (!on || !value) continue;
      if (isModule(on) && name === "exports") readWhole(value, named, whole);
      // `exports.a = exports.b = void 0`, as compiled files begin.
      else if (isExports(on) && plain(value).kind !== "nothing" && plain(value).kind !== "assign")
        putFirst(named, name, localOf(program, value));
    }
  }
  for (const call of program.calls.get("defineProperty") ?? []) readDefined(call, named);
  for (const call of program.calls.get("__export") ?? []) readTable(argumentsOf(call)[1]?.value, named);
  for (const { name, value } of program.nameWrites)
    if (name === "exports" && value && program.dialect.exports === "listed") readWhole(value, named, whole);
  const read = { named, whole, stars };
  exportsOfPrograms.set(program, read);
  return read;
}

function readExport(node: CodeNode, named: Map<string, Local>, stars: string[]): void {
  const isStar = is(node, "star");
  if (isStar && node.name !== null && node.children.length === 0) stars.push(node.name);
  for (const entry of node.children) {
    const value = part(entry, "value");
    if (!value || entry.name === null) continue;
    if (node.name === null) named.set(entry.name, { node: value });
    else named.set(entry.name, { specifier: node.name, path: isStar || value.name === null ? [] : [value.name] });
  }
}

/** Reads `export const a = …`, `export function a() {}`, `export default class {}`. */
function readDeclaration(node: CodeNode, named: Map<string, Local>): void {
  for (const one of node.kind === "sequence" ? node.children : [node]) {
    if (!is(one, "exported")) continue;
    if (is(one, "default")) named.set("default", { node: one });
    const value = one.kind === "declare" ? part(one, "value") : one;
    if (one.name !== null && value) named.set(one.name, { node: value });
  }
}

function readWhole(value: CodeNode, named: Map<string, Local>, whole: Local[]): void {
  const node = plain(value);
  // `module.exports = exports = …`
  if (node.kind === "assign") {
    const inner = part(node, "value");
    if (inner) readWhole(inner, named, whole);
    return;
  }
  const required = requiredBy(node);
  if (required) whole.push(required);
  else if (!isExports(node)) whole.push({ node });
}

function localOf(program: Program, value: CodeNode): Local {
  const required = requiredBy(value);
  if (required) return required;
  const node = plain(value);
  const on = node.kind === "member" ? part(node, "on") : null;
  const binding = on?.kind === "name" && on.name !== null ? resolve(program, on.name, on) : null;
  const imported = binding && importedBy(binding);
  return imported && node.name !== null
    ? { specifier: imported.specifier, path: [...imported.path, node.name] }
    : { node };
}

/** Reads `Object.defineProperty(exports, "a", { get: function () { return b; } })`. */
function readDefined(call: CodeNode, named: Map<string, Local>): void {
  const [on, key, description] = argumentsOf(call);
  const name = key && keyText(key.value);
  if (!on || !name || !description || !isExports(on.value)) return;
  const value = description.value.children.find((one) => one.name === "get" || one.name === "value");
  const given = value && part(value, "value");
  if (given) putFirst(named, name, { node: returnedBy(given) });
}

function readTable(table: CodeNode | undefined, named: Map<string, Local>): void {
  for (const entry of table?.children ?? []) {
    const value = part(entry, "value");
    if (entry.name !== null && value) putFirst(named, entry.name, { node: returnedBy(value) });
  }
}

/** Returns the value of a function that is a single expression. */
function returnedBy(node: CodeNode): CodeNode {
  if (node.kind !== "function") return node;
  const body = part(node, "body");
  const last = body?.kind === "block" ? body.children.at(-1) : null;
  return (last?.kind === "return" ? part(last, "value") : last === null ? body : null) ?? node;
}

function putFirst(named: Map<string, Local>, name: string, local: Local): void {
  if (!named.has(name)) named.set(name, local);
}

function isModule(node: CodeNode): boolean {
  return node.kind === "name" && node.name === "module";
}

function isExports(node: CodeNode): boolean {
  if (node.kind === "name") return node.name === "exports";
  const on = node.kind === "member" && node.name === "exports" ? part(node, "on") : null;
  return on !== null && isModule(on);
}

/** Returns what the files of a package or module declare at top level, in languages without a list of exports. */
function exportsOfPackage(codebase: Codebase, from: Program, { specifier, path }: Imported): readonly Exported[] {
  const [name, ...rest] = path;
  if (name === undefined) return [];
  const files = filesOf(codebase, from, specifier);
  const found = files.flatMap((program): Exported[] => {
    const binding = resolveInModule(program, name);
    const value = binding && madeBy(binding);
    return value ? [{ kind: "value", program, node: value, path: rest }] : [];
  });
  if (found.length > 0) return found;
  // `from .package import module`
  const [inner] = rest;
  const module = inner === undefined ? null : memberModule(from.source.name, specifier, name);
  return module === null ? [] : exportsOfPackage(codebase, from, { specifier: module, path: rest });
}

function madeBy({ node, writes }: Binding): CodeNode | null {
  if (node.kind === "function" || node.kind === "class") return node;
  return writes.find(({ value, path }) => value !== null && path.length === 0)?.value ?? null;
}

/** Returns the given files that an import resolves to. */
export function filesOf(codebase: Codebase, { source }: Program, specifier: string): Program[] {
  return codebase.files.imported(source.name, specifier).flatMap((one) => codebase.of(one) ?? []);
}

/** Returns every module that a file names. */
export function specifiersOf(program: Program): string[] {
  const named = program.imports.flatMap(({ name, children }) =>
    name === null
      ? []
      : [
          name,
          ...children.flatMap((one) => (one.name ? (memberModule(program.source.name, name, one.name) ?? []) : [])),
        ],
  );
  const required = ["require", "require_relative", "import"].flatMap((name) => program.calls.get(name) ?? []);
  const handedOn = program.exports.flatMap(({ name }) => name ?? []);
  return [...named, ...handedOn, ...required.flatMap((call) => requiredBy(call)?.specifier ?? [])];
}

/** Returns the files of the same package folder, in languages where they see each other's names. */
export function siblingsOf(codebase: Codebase, { source, dialect }: Program): readonly Program[] {
  if (dialect.undeclared !== "of-folder") return [];
  const folder = source.name.split("/").slice(0, -1).join("/");
  return codebase
    .all()
    .filter((one) => one.dialect === dialect && one.source.name.split("/").slice(0, -1).join("/") === folder);
}
