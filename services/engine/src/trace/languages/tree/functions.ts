import type { SourceText } from "../../../source-text.ts";
import { around, type CodeNode, part, walkOwn } from "./code-node.ts";
import { nameText } from "./expressions.ts";
import type { CodeProgram } from "./program.ts";

/** A parameter, as callers count them: without the object that a method is called on. */
export interface Parameter {
  readonly name: string;
  readonly node: CodeNode;
  readonly fallback: CodeNode | null;
}

/** The innermost node that spans a position. */
export function nodeAtPosition(tree: CodeNode, position: number): CodeNode {
  let node = tree;
  for (;;) {
    const inner = node.children.find(({ start, end }) => start <= position && position < end);
    if (!inner) return node;
    node = inner;
  }
}

/** The name by which a developer would call the code at a node: `Class.method`; null in the module. */
export function nameAround(program: CodeProgram, node: CodeNode): string | null {
  for (let at: CodeNode | null = node; at !== null; at = at.parent) {
    const name = at.kind === "function" ? nameOf(program, at) : null;
    if (name !== null) return name;
  }
  return null;
}

/** The name of a function with that of its class; null for one that has none. */
export function nameOf(program: CodeProgram, node: CodeNode): string | null {
  const own = ownName(program, node);
  if (own === null) return null;
  const owner = classNameOf(program, node);
  return owner === null ? own : `${owner}.${own}`;
}

export function ownName({ source, dialect }: CodeProgram, node: CodeNode): string | null {
  if (node.type === "constructor_declaration" || node.type === "compact_constructor_declaration") return "<init>";
  const name = part(node, "name");
  if (name) return nameText(name, source);
  const { parent } = node;
  const target = dialect.name !== "go" && parent && (parent.kind === "assign" || parent.kind === "declare");
  const assigned = target ? part(parent, "target") : null;
  return assigned?.kind === "name" ? nameText(assigned, source) : null;
}

/** The name of the class that a function belongs to: the one around it, or the type of its receiver. */
export function classNameOf(program: CodeProgram, node: CodeNode): string | null {
  const receiver = part(node, "receiver");
  if (receiver) return typeNameOf(receiver, program.source);
  const owner = classAround(node);
  const name = owner ? part(owner, "name") : null;
  if (name) return nameText(name, program.source);
  return owner?.parent ? classNameOf(program, owner) : null;
}

/** The class whose member a node is in; a function within a function is nobody's member. */
export function classAround(node: CodeNode): CodeNode | null {
  return node.parent ? around(node.parent, "class") : null;
}

/** `T` of `t *T`. */
function typeNameOf(receiver: CodeNode, source: SourceText): string | null {
  for (const node of walkOwn(receiver)) if (node.type === "type_identifier") return nameText(node, source);
  return null;
}

/** What callers give, in order. */
export function parametersOf(program: CodeProgram, node: CodeNode): Parameter[] {
  const list = part(node, "parameters");
  if (!list) return [];
  const given = list.kind === "name" ? [list] : list.children;
  const all = given.flatMap((one) => parameterOf(one, program.source));
  const first = all[0];
  const isMethod = program.dialect.hasSelfParameter && first !== undefined && classAround(node) !== null;
  return isMethod && program.dialect.self.has(first.name) ? all.slice(1) : all;
}

function parameterOf(node: CodeNode, source: SourceText): Parameter[] {
  if (node.kind === "name") return [{ name: nameText(node, source), node, fallback: null }];
  if (node.kind !== "parameter") return [];
  const fallback = part(node, "value");
  // `a, b int` declares two.
  const names = node.children.filter(({ field, kind }) => field === node.shape.parts?.name && kind === "name");
  const named = names.length > 0 ? names : [part(node, "name")].filter((name) => name !== null);
  return named.map((name) => ({ name: nameText(name, source), node, fallback }));
}

/** What a function gives back: the values of its returns, and null for a return without one. */
export function returnsOf(program: CodeProgram, node: CodeNode): (CodeNode | null)[] {
  const body = part(node, "body");
  if (!body) return [];
  if (body.kind !== "block") return [body];
  const returns: (CodeNode | null)[] = [];
  for (const one of walkOwn(body)) if (one.kind === "return") returns.push(returnedBy(one));
  if (program.dialect.returnsLast) returns.push(...lastValues(body));
  return returns;
}

function returnedBy(node: CodeNode): CodeNode | null {
  const value = node.children[0];
  if (!value) return null;
  const isList = value.type === "argument_list" || value.type === "expression_list";
  return isList && value.children.length === 1 ? (value.children[0] ?? null) : value;
}

const endingsMax = 12;

/** What the last expression of a block comes to: of a condition, what each of its branches comes to. */
function lastValues(block: CodeNode): (CodeNode | null)[] {
  const found: (CodeNode | null)[] = [];
  const pending: CodeNode[] = [block];
  for (let node = pending.pop(); node !== undefined && found.length < endingsMax; node = pending.pop()) {
    if (node.kind === "block" || node.type === "then" || node.type === "else" || node.type === "begin") {
      const statements = node.children.filter(({ type }) => type !== "rescue" && type !== "ensure");
      pending.push(...node.children.filter(({ type }) => type === "rescue").flatMap((one) => part(one, "body") ?? []));
      const last = statements.at(-1);
      if (last) pending.push(last);
      else found.push(null);
    } else if (node.kind === "if" || node.type === "case" || node.type === "when" || node.type === "elsif")
      pending.push(...branchesOf(node));
    else if (node.type === "rescue_modifier") found.push(part(node, "value"), part(node, "body"));
    else if (node.kind !== "return" && node.kind !== "throw") found.push(node);
  }
  return found;
}

function branchesOf(node: CodeNode): CodeNode[] {
  if (node.type === "if_modifier" || node.type === "unless_modifier")
    return [part(node, "consequence")].filter((one) => one !== null);
  return node.children.filter(({ type }) => ["then", "else", "elsif", "when"].includes(type));
}

/** Whether a function can come to its end without a `return`. */
export function fallsThrough({ dialect }: CodeProgram, node: CodeNode): boolean {
  const body = part(node, "body");
  if (dialect.name !== "python" || body?.kind !== "block") return false;
  return !leaves(body);
}

const leavingDepthMax = 40;

/** Whether a block ends by leaving the function, whichever way it goes. */
function leaves(block: CodeNode, depth = leavingDepthMax): boolean {
  const last = block.children.at(-1);
  if (!last || depth === 0) return false;
  if (last.kind === "return" || last.kind === "throw") return true;
  if (last.type === "while_statement") return part(last, "condition")?.kind === "boolean";
  const blocks = last.children.flatMap((one) =>
    one.kind === "block" ? [one] : one.children.filter(({ kind }) => kind === "block"),
  );
  if (last.kind === "if") return hasElse(last) && blocks.every((one) => leaves(one, depth - 1));
  const isAround = last.kind === "try" || last.type === "with_statement";
  return isAround && blocks.length > 0 && blocks.every((one) => leaves(one, depth - 1));
}

function hasElse(node: CodeNode): boolean {
  return node.children.some(({ type }) => type === "else_clause");
}

/** Whether a value is given back by a generator: it does not come from a return. */
export function isGenerator(node: CodeNode): boolean {
  const body = part(node, "body");
  if (!body) return false;
  for (const one of walkOwn(body)) if (one.type === "yield") return true;
  return false;
}
