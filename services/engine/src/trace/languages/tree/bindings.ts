import type { SourceText } from "../../../source-text.ts";
import { type CodeNode, isWithin, part, walkOwn } from "./code-node.ts";
import { lastName, nameText, plain } from "./expressions.ts";
import { parametersOf } from "./functions.ts";
import type { CodeProgram, Write } from "./program.ts";

/** What a name stands for where it is used. */
export type Binding =
  | { readonly kind: "written"; readonly writes: readonly Write[] }
  | { readonly kind: "element"; readonly node: CodeNode; readonly over: CodeNode }
  | {
      readonly kind: "parameter";
      readonly owner: CodeNode;
      readonly position: number;
      readonly node: CodeNode;
      readonly fallback: CodeNode | null;
    };

const writesMax = 3;
/** Loops of one file that are asked whether they declare the name. */
const loopsMax = 400;

/** What a name stands for, from the function around its use outwards to the module; null when that is not in this file. */
export function findBinding(program: CodeProgram, name: string, use: CodeNode): Binding | null {
  for (let owner = program.ownerOf(use); ; owner = program.ownerOf(owner)) {
    const found = boundIn(program, name, use, owner);
    if (found || owner === null) return found;
  }
}

function boundIn(program: CodeProgram, name: string, use: CodeNode, owner: CodeNode | null): Binding | null {
  const loop = program.loops
    .slice(0, loopsMax)
    .find((one) => program.ownerOf(one) === owner && isWithin(use, extentOf(one)) && declares(program, one, name));
  const over = loop ? part(loop, "over") : null;
  if (loop && over && !isWithin(use, over)) return { kind: "element", node: loop, over };
  const writes = (program.writes.get(name) ?? []).filter(
    ({ node, target }) => plain(target).kind === "name" && program.ownerOf(node) === owner && !isFieldOf(node),
  );
  const before = writes.filter(({ node }) => node.end <= use.start);
  const last = (before.length > 0 ? before : writes.filter(({ node }) => !isWithin(use, node))).slice(-writesMax);
  const position = owner ? parametersOf(program, owner).findIndex((one) => one.name === name) : -1;
  const parameter = owner && position >= 0 ? parametersOf(program, owner)[position] : undefined;
  if (last.length > 0 && !(parameter && before.length === 0)) return { kind: "written", writes: last.toReversed() };
  if (!owner || !parameter) return null;
  return { kind: "parameter", owner, position, node: parameter.node, fallback: parameter.fallback };
}

/** A variable of a class is nobody's local. */
function isFieldOf(node: CodeNode): boolean {
  return node.parent?.type === "field_declaration";
}

function extentOf(loop: CodeNode): CodeNode {
  const isClause = loop.type === "for_in_clause" || loop.type === "range_clause";
  return isClause && loop.parent ? loop.parent : loop;
}

function declares({ source }: CodeProgram, loop: CodeNode, name: string): boolean {
  const target = part(loop, "target");
  if (!target) return false;
  for (const node of walkOwn(target)) if (node.kind === "name" && nameText(node, source) === name) return true;
  return false;
}

/** Where in the module a name is written, outside of any function and class. */
export function writtenInModule(program: CodeProgram, name: string): readonly Write[] {
  return (program.writes.get(name) ?? []).filter(
    ({ node, target }) => program.ownerOf(node) === null && plain(target).kind === "name" && !isFieldOf(node),
  );
}

/** What is written to a member of that name, of whatever object: `x.name = value`, and a class's own `name = value`. */
export function writtenToMember(program: CodeProgram, name: string): readonly Write[] {
  return (program.writes.get(name) ?? []).filter(({ node, target }) => {
    const at = plain(target);
    if (at.kind === "member") return true;
    const isField = program.ownerOf(node) === null && inClass(node);
    return at.kind === "name" && (isField || isFieldWrite(program, name, node));
  });
}

function inClass(node: CodeNode): boolean {
  for (let at = node.parent; at !== null; at = at.parent) {
    if (at.kind === "class") return true;
    if (at.kind === "function") return false;
  }
  return false;
}

/** `name = value` in a method, where the language lets the object out. */
function isFieldWrite(program: CodeProgram, name: string, node: CodeNode): boolean {
  if (program.dialect.name !== "java" || node.kind !== "assign") return false;
  const owner = program.ownerOf(node);
  return owner !== null && !parametersOf(program, owner).some((one) => one.name === name);
}

/** The type that a name is declared with, or made of, somewhere in the file: its last word. */
export function typeOf(program: CodeProgram, name: string): string | null {
  let known = typesOfPrograms.get(program);
  if (!known) {
    known = typesIn(program);
    typesOfPrograms.set(program, known);
  }
  return known.get(name) ?? null;
}

const typesOfPrograms = new WeakMap<CodeProgram, ReadonlyMap<string, string>>();

function typesIn(program: CodeProgram): Map<string, string> {
  const { source } = program;
  const types = new Map<string, string>();
  for (const nodes of program.byLine.values()) {
    for (const node of nodes) {
      const type = node.field === "type" ? lastTypeName(source, node) : null;
      if (type === null || !node.parent) continue;
      for (const name of node.parent.children) {
        const declared = name.field === "name" ? name : name.field === "declarator" ? part(name, "target") : null;
        const written = declared ?? (name.kind === "name" && name.field === null ? name : null);
        if (written) types.set(nameText(written, source), type);
      }
    }
  }
  for (const [name, writes] of program.writes) {
    const made = writes
      .flatMap(({ value }) => (value ? [madeType(program, plain(value))] : []))
      .find((one) => one !== null);
    if (made && !types.has(name)) types.set(name, made);
  }
  return types;
}

/** `T` of `*pkg.T`, of `List<T>` the list. */
function lastTypeName(source: SourceText, node: CodeNode): string | null {
  const text = source.text.slice(node.start, Math.min(node.end, node.start + 200));
  return /([A-Za-z_]\w*)\s*(?:<.*|\[.*)?$/s.exec(text.split("<")[0] ?? "")?.[1] ?? null;
}

/** The class of `X(…)`, `new X(…)`, `X.new(…)`, `&X{…}`, `pkg.NewX(…)`. */
function madeType({ source, dialect }: CodeProgram, value: CodeNode): string | null {
  const node = value.kind === "unary" ? plain(part(value, "operand") ?? value) : value;
  if (node.type === "composite_literal") return lastTypeName(source, part(node, "type") ?? node);
  if (node.kind !== "call") return null;
  const name = lastName(node, source);
  if (name === null) return null;
  if (dialect.name === "ruby") {
    const on = name === "new" ? part(node, "on") : null;
    return on ? lastName(on, source) : null;
  }
  if (dialect.name === "go") return /^New([A-Z]\w*)$/.exec(name)?.[1] ?? null;
  return /^[A-Z]/.test(name) ? name : null;
}
