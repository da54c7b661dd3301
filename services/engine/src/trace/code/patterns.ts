import type { Codebase } from "./codebase.ts";
import { argumentsOf, plain } from "./expressions.ts";
import { type CodeNode, part } from "./ir.ts";
import { findExports, importedBy, requiredBy } from "./modules.ts";
import { anyKey, type Program } from "./program.ts";
import { resolve } from "./scopes.ts";

/** A regular expression in the code. */
export interface FoundPattern {
  readonly program: Program;
  readonly node: CodeNode;
  /** In JavaScript's syntax. */
  readonly source: string;
  readonly flags: string;
}

/** The same, with the receiver or the argument of a call through which it is used. */
export interface UsedPattern extends FoundPattern {
  readonly used: CodeNode;
}

const depthMax = 8;
const foundMax = 12;

/** Returns the regular expressions that a call may match a text against; empty for any other call. */
export function patternsOf(codebase: Codebase, program: Program, call: CodeNode): UsedPattern[] {
  const { patterns } = program.dialect;
  if (!patterns?.matching.has(call.name ?? "")) return [];
  const callee = part(call, "callee");
  const used = [callee && part(callee, "on"), argumentsOf(call)[0]?.value].flatMap((one) => one ?? []);
  const by = (find: (one: CodeNode) => FoundPattern[]): UsedPattern[] =>
    used.flatMap((one) => find(one).map((pattern) => ({ ...pattern, used: one })));
  const followed = by((one) => followPattern(codebase, program, one, [], 0));
  const found = followed.length > 0 ? followed : by((one) => patternsNamed(codebase, program, one));
  return found.filter((one, index) => found.findIndex(({ node }) => node === one.node) === index).slice(0, foundMax);
}

/** Follows an expression, and a path read from it, to the regular expressions that it may be. */
function followPattern(
  codebase: Codebase,
  program: Program,
  expression: CodeNode,
  path: readonly string[],
  depth: number,
): FoundPattern[] {
  if (depth > depthMax) return [];
  const node = plain(expression);
  const inner = (one: CodeNode | null | undefined, left: readonly string[], where = program): FoundPattern[] =>
    one ? followPattern(codebase, where, one, left, depth + 1).slice(0, foundMax) : [];
  const [key, ...rest] = path;
  switch (node.kind) {
    case "pattern":
    case "string":
    case "template":
      return key === undefined ? patternAt(program, node) : [];
    case "member":
      return node.name === null ? [] : inner(part(node, "on"), [node.name, ...path]);
    case "index":
      return inner(part(node, "on"), [anyKey, ...path]);
    case "list":
      return key === undefined ? [] : node.children.flatMap((one) => inner(one, rest));
    case "object":
      return node.children.flatMap((one) =>
        one.name === key || key === anyKey || one.name === null ? inner(part(one, "value"), rest) : [],
      );
    case "call": {
      const isMade = program.dialect.patterns?.making.has(node.name ?? "");
      if (isMade) return inner(argumentsOf(node)[0]?.value, path);
      const required = requiredBy(node);
      return required ? exported(codebase, program, { ...required, path: [...required.path, ...path] }, depth) : [];
    }
    case "name": {
      const binding = node.name === null ? null : resolve(program, node.name, node);
      if (!binding) return [];
      const imported = importedBy(binding);
      if (imported) return exported(codebase, program, { ...imported, path: [...imported.path, ...path] }, depth);
      return binding.writes.flatMap((write) => inner(write.value, [...write.path, ...path]));
    }
    default:
      return [];
  }
}

function exported(
  codebase: Codebase,
  program: Program,
  imported: { readonly specifier: string; readonly path: readonly string[] },
  depth: number,
): FoundPattern[] {
  return findExports(codebase, program, imported).flatMap((one) =>
    one.kind === "value" ? followPattern(codebase, one.program, one.node, one.path, depth + 1) : [],
  );
}

/** Returns the expressions that are written to a field or key of the same name, anywhere in the user's own code. */
function patternsNamed(codebase: Codebase, { dialect }: Program, used: CodeNode): FoundPattern[] {
  const { kind, name } = plain(used);
  if ((kind !== "member" && kind !== "name") || name === null) return [];
  return codebase
    .near()
    .filter((one) => one.dialect === dialect)
    .flatMap((program) =>
      [...(program.fieldWrites.get(name) ?? []), ...(program.entries.get(name) ?? [])].flatMap(({ value }) =>
        value && plain(value).kind !== "string" ? followPattern(codebase, program, value, [], depthMax - 1) : [],
      ),
    );
}

function patternAt(program: Program, node: CodeNode): FoundPattern[] {
  const { dialect, source: text } = program;
  if (node.kind === "pattern") {
    const [, source = "", flags = ""] = /^\/(.*)\/([a-z]*)$/s.exec(node.name ?? "") ?? [];
    return source === "" ? [] : [{ program, node, source, flags }];
  }
  const parts = node.kind === "string" ? [node] : node.children;
  const isWhole = parts.length > 0 && parts.every(({ kind, name }) => kind === "string" && name !== null);
  if (!dialect.patterns || !isWhole) return [];
  const { inJavaScript } = dialect.patterns;
  const texts = parts.map(({ name, start, end }) => inJavaScript(name ?? "", text.text.slice(start, end)));
  return [{ program, node, source: texts.join(""), flags: "" }];
}
