import type { SourceText } from "../source/source-text.ts";
import { type CodeNode, part, partsOf } from "./ir.ts";

/** What is given to a call. */
export interface Argument {
  /** When it is given by name. */
  readonly name: string | null;
  readonly value: CodeNode;
}

/** An expression without what only waits for it or comes before it. */
export function plain(node: CodeNode): CodeNode {
  let at = node;
  for (;;) {
    const inner = at.kind === "await" || at.kind === "sequence" || at.kind === "spread" ? part(at, "value") : null;
    if (!inner) return at;
    at = inner;
  }
}

/** Whether something waits for what the node gives. */
export function isAwaited(node: CodeNode): boolean {
  return node.parent?.kind === "await";
}

/** Longest excerpt of code in a signal. */
const excerptUnitsMax = 120;

/** The text of a node on one line, cut where it gets long. */
export function textOf(node: CodeNode, source: SourceText, unitsMax = excerptUnitsMax): string {
  const text = source.text
    .slice(node.start, Math.min(node.end, node.start + 4 * unitsMax))
    .replace(/\s+/g, " ")
    .trim();
  return text.length > unitsMax ? `${text.slice(0, unitsMax - 1)}…`.toWellFormed() : text;
}

/** `c` of `a.b.c`, of `a.b.c()` and of `c`; null of anything else. */
export function lastName(node: CodeNode): string | null {
  const at = plain(node);
  return at.kind === "name" || at.kind === "member" || at.kind === "call" || at.kind === "self" ? at.name : null;
}

/** What a member, an element or a method is read of; null for a plain name. */
export function receiverOf(node: CodeNode): CodeNode | null {
  const at = plain(node);
  const of = at.kind === "call" ? part(at, "callee") : at;
  return of && (of.kind === "member" || of.kind === "index") ? part(of, "on") : null;
}

/** What a call is given, in order. */
export function argumentsOf(call: CodeNode): Argument[] {
  return partsOf(call, "argument").map((node) => {
    const value = node.kind === "entry" ? part(node, "value") : null;
    return value ? { name: node.name, value } : { name: null, value: node };
  });
}

/** The text of a key that is written out; null when it is computed. */
export function keyText(node: CodeNode): string | null {
  const at = plain(node);
  return at.kind === "string" || at.kind === "number" ? at.name : null;
}

/** Whether a value is written out, so that it is what it is. */
export function isLiteral(node: CodeNode): boolean {
  const { kind } = plain(node);
  return kind === "string" || kind === "number" || kind === "boolean" || kind === "nothing" || kind === "pattern";
}

export function isNothing(node: CodeNode): boolean {
  return plain(node).kind === "nothing";
}

/** Whether two expressions are spelled alike: `a.b` and `a.b`. */
export function isSame(left: CodeNode, right: CodeNode): boolean {
  const [one, other] = [plain(left), plain(right)];
  if (one.kind !== other.kind || one.name !== other.name) return false;
  if (one.kind === "name" || one.kind === "self") return true;
  const [on, of] = [part(one, "on"), part(other, "on")];
  return one.kind === "member" && (on === null || of === null ? on === of : isSame(on, of));
}

/** How deep in an expression its operands are looked for. */
const depthMax = 8;
const operandsMax = 8;

/** Every name, member and call of an expression, without what is part of another. */
export function operandsOf(expression: CodeNode, depth = depthMax): CodeNode[] {
  if (depth === 0) return [];
  const node = plain(expression);
  const inner = (nodes: readonly CodeNode[]): CodeNode[] =>
    nodes.flatMap((one) => operandsOf(one, depth - 1)).slice(0, operandsMax);
  switch (node.kind) {
    case "name":
    case "member":
    case "index":
      return [node];
    case "call":
      return [...inner(argumentsOf(node).map(({ value }) => value)), node];
    case "binary":
    case "unary":
    case "choice":
    case "template":
    case "list":
    case "assign":
    case "sequence":
    case "other":
      return inner(node.children);
    default:
      return [];
  }
}
