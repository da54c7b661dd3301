import ts from "typescript";
import type { TextEdit } from "../../mutation.ts";

/** One way of making the mistake at a node: its edits, the place of the mistake first. */
export type Variant = readonly [TextEdit, ...TextEdit[]];

/** A kind of mistake. `variants` returns each way of making it at a node; none for most nodes. */
export interface Operator {
  readonly name: string;
  readonly variants: (node: ts.Node, source: ts.SourceFile) => Variant[];
}

/** Replaces a node's text. */
export function replace(node: ts.Node, source: ts.SourceFile, text: string): Variant {
  return [{ start: node.getStart(source), end: node.getEnd(), text }];
}

/** Removes a node. */
export function remove(node: ts.Node, source: ts.SourceFile): Variant {
  return replace(node, source, "");
}

/** Removes a property with the comma that separates it from the next, or else from the previous one. */
export function removeProperty(node: ts.Node, source: ts.SourceFile): Variant {
  const start = node.getStart(source);
  const end = node.getEnd();
  const after = /^,[ ]*/.exec(source.text.slice(end))?.[0].length ?? 0;
  if (after > 0) return [{ start, end: end + after, text: "" }];
  const before = /,\s*$/.exec(source.text.slice(0, start))?.[0].length ?? 0;
  return [{ start: start - before, end, text: "" }];
}

/** Whether a statement is in a list, so that it can be removed. */
export function inList(node: ts.Node): boolean {
  const { parent } = node;
  return ts.isBlock(parent) || ts.isSourceFile(parent) || ts.isCaseOrDefaultClause(parent);
}

/** Returns the name after the last dot of the called function, or an empty string. */
export function calledName(call: ts.CallExpression): string {
  const { expression } = call;
  if (ts.isIdentifier(expression)) return expression.text;
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : "";
}

/** Returns the function around a node, named or not. */
export function functionAround(node: ts.Node): ts.FunctionLikeDeclaration | undefined {
  return ts.findAncestor(node.parent, isDefined);
}

function isDefined(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return ts.isFunctionLike(node) && "body" in node;
}
