import { textOf } from "./expressions.ts";
import { type CodeNode, is, part, partsOf, walk } from "./ir.ts";
import type { Program, Write } from "./program.ts";

/** A name that code defines or assigns: a key, a field, a function, a class, an export. */
export interface GivenName {
  readonly name: string;
  /** The code of its value; empty for what is defined or declared without one. */
  readonly value: string;
  /** 1-based. */
  readonly line: number;
}

/**
 * Returns the keys and fields that a program assigns, and what it defines, in no particular order. Parameters and
 * destructured names don't count as assigned.
 */
export function givenNames(program: Program): GivenName[] {
  const { source, entries, fieldWrites, nameWrites, functions, classes, tree } = program;
  const given = (name: string, node: CodeNode, value: CodeNode | null = null): GivenName => ({
    name,
    value: value ? textOf(value, source) : "",
    line: source.lineAt(node.at),
  });
  const written = ({ name, node, value }: Write): GivenName => given(name, node, value);
  const fields = [...fieldWrites.values()].flat();
  const exported = nameWrites.filter(({ node }) => node.kind === "declare" && isExported(node));
  const components = classes.flatMap((node) => partsOf(node, "parameter"));
  return [
    ...[...entries].flatMap(([key, writes]) => (key.endsWith("[]") ? [] : writes.map(written))),
    ...[...fields, ...exported].map(written),
    ...fields.flatMap(({ node }) => partsOf(node, "key").flatMap((key) => named(key, given))),
    ...[...functions.filter((node) => !isCallInObject(node)), ...classes, ...components].flatMap((node) =>
      named(node, given),
    ),
    ...[...walk(tree)].flatMap((node) => setterIn(node, given)),
  ];
}

/** Returns the code that each variable is set to, for variables that are set once. */
export function setVariables({ nameWrites, source }: Program): ReadonlyMap<string, string> {
  return new Map(nameWrites.flatMap(({ name, value }) => (value ? [[name, textOf(value, source)] as const] : [])));
}

type Given = (name: string, node: CodeNode, value?: CodeNode | null) => GivenName;

/** Constructors, and what stands around lines that are read apart. */
const unnamed: ReadonlySet<string> = new Set(["<init>", "_", "$"]);

function named(node: CodeNode, given: Given): GivenName[] {
  return node.name === null || unnamed.has(node.name) ? [] : [given(node.name, node)];
}

/** `name()` where entries of an object are expected: lines that are read apart may be statements. */
function isCallInObject(node: CodeNode): boolean {
  return node.parent?.kind === "object" && part(node, "body") === null;
}

/** `on.name = value`, where that calls a method of the object. */
function setterIn(node: CodeNode, given: Given): GivenName[] {
  const target = node.kind === "assign" ? part(node, "target") : null;
  return target?.kind === "call" && target.name !== null ? [given(target.name, node, part(node, "value"))] : [];
}

function isExported(node: CodeNode): boolean {
  return is(node, "exported") || (node.parent !== null && is(node.parent, "exported"));
}
