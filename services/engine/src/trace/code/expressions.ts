import type { SourceText } from "../../source/source-text.ts";
import { type CodeNode, part, partsOf } from "./ir.ts";

/** An argument of a call. */
export interface Argument {
  /** The name of a named argument; otherwise null. */
  readonly name: string | null;
  readonly value: CodeNode;
}

/** Returns an expression without `await`, spread, and what a sequence evaluates before it. */
export function plain(node: CodeNode): CodeNode {
  let at = node;
  for (;;) {
    const inner = at.kind === "await" || at.kind === "sequence" || at.kind === "spread" ? part(at, "value") : null;
    if (!inner) return at;
    at = inner;
  }
}

/** Returns whether the result of a node is awaited. */
export function isAwaited(node: CodeNode): boolean {
  return node.parent?.kind === "await";
}

/** Longest excerpt of code in a signal. */
const excerptUnitsMax = 120;

/** Returns the text of a node on one line, truncated to `unitsMax`. */
export function textOf(node: CodeNode, source: SourceText, unitsMax = excerptUnitsMax): string {
  const text = onOneLine(source.text.slice(node.start, Math.min(node.end, node.start + 4 * unitsMax))).trim();
  return text.length > unitsMax ? `${text.slice(0, unitsMax - 1)}…`.toWellFormed() : text;
}

/** Returns code on one line, without a space where a line breaks beside the dot of a member. */
function onOneLine(code: string): string {
  return code.replace(/\s+/g, (space, at: number) => {
    const [before, after] = [code.slice(Math.max(0, at - 3), at), code.slice(at + space.length, at + space.length + 3)];
    return space.includes("\n") && (memberStart.test(after) || memberDot.test(before)) ? "" : " ";
  });
}

const memberStart = /^\??\.[A-Za-z_$#]/;
const memberDot = /[\w$)\]]\??\.$/;

/**
 * Returns the text of a node on one line. Shortens a long chain of calls in the middle, so that its last call stays
 * visible.
 */
export function stepTextOf(node: CodeNode, source: SourceText): string {
  const text = textOf(node, source);
  const on = text.endsWith("…") ? receiverOf(node) : null;
  const last = on && node.end - on.end <= 4 * excerptUnitsMax && onOneLine(source.text.slice(on.end, node.end));
  if (!last || last.length > excerptUnitsMax / 2) return text;
  return `${textOf(node, source, excerptUnitsMax - last.length)}${last}`;
}

/** Returns `c` for `a.b.c`, `a.b.c()`, and `c`; null for anything else. */
export function lastName(node: CodeNode): string | null {
  const at = plain(node);
  return at.kind === "name" || at.kind === "member" || at.kind === "call" || at.kind === "self" ? at.name : null;
}

/** Returns the object that a member, element, or method is read from; null for a plain name. */
export function receiverOf(node: CodeNode): CodeNode | null {
  const at = plain(node);
  const of = at.kind === "call" ? part(at, "callee") : at;
  return of && (of.kind === "member" || of.kind === "index") ? part(of, "on") : null;
}

/** Returns `a` for `a.b().c`. */
export function rootOf(expression: CodeNode): CodeNode {
  let at = plain(expression);
  for (let inner = readFrom(at); inner; inner = readFrom(at)) at = plain(inner);
  return at;
}

/** Returns `a`, `a.b`, and `a.b.c` for `a.b.c`. */
export function chainOf(expression: CodeNode): CodeNode[] {
  const links: CodeNode[] = [];
  for (let at: CodeNode | null = expression; at !== null; ) {
    const link = plain(at);
    links.push(link);
    at = readFrom(link);
  }
  return links.reverse();
}

/** Returns the variable and the fields that an expression reads: `["a", "b"]` for `a.b`; null for any other. */
export function pathOf(expression: CodeNode): string[] | null {
  const names: string[] = [];
  for (let at: CodeNode | null = expression; at !== null; ) {
    const link = plain(at);
    if (link.name === null || (link.kind !== "name" && link.kind !== "self" && link.kind !== "member")) return null;
    names.push(link.name);
    at = readFrom(link);
  }
  return names.reverse();
}

/** Returns what a call, a member, or an element is read from. */
function readFrom(link: CodeNode): CodeNode | null {
  return part(link, "callee") ?? receiverOf(link);
}

/** What code sets, and to what, without casts. */
interface Assigned {
  readonly target: string;
  readonly value: string;
  /** Whether the target is a destructuring pattern. */
  readonly isPattern: boolean;
}

/** Returns what a declaration, an assignment, or an entry of an object sets; null for other code. */
export function assignedBy(node: CodeNode, source: SourceText): Assigned | null {
  const isSetting = node.kind === "declare" || node.kind === "entry" || (node.kind === "assign" && isPlainly(node));
  const value = isSetting ? part(node, "value") : null;
  // `{ name }` only names a value.
  if (!value || value.start === node.start) return null;
  const target = part(node, "target");
  return {
    target: target ? textOf(target, source) : (node.name ?? ""),
    value: stepTextOf(value, source),
    isPattern: target?.kind === "object" || target?.kind === "list",
  };
}

/** Returns whether an assignment sets its target to the value, rather than adding to it. */
function isPlainly({ name }: CodeNode): boolean {
  return name === "=" || name === ":=";
}

/** Yields every name, type, and string in the code. */
export function* wordsOf(nodes: Iterable<CodeNode>): Generator<string> {
  for (const { name, type } of nodes) {
    if (name !== null) yield name;
    if (type !== null) yield type;
  }
}

/**
 * Returns the variable that a value is stored in, awaited or not; null when it is stored in none, as in an assignment
 * to a field.
 */
export function heldBy(value: CodeNode): string | null {
  const { parent, role } = value.parent && isAwaited(value) ? value.parent : value;
  if (role !== "value" || !parent) return null;
  if (parent.kind === "declare" && parent.name !== null) return parent.name;
  const target = parent.kind === "assign" ? part(parent, "target") : null;
  return target?.kind === "name" ? target.name : null;
}

/** Returns the arguments of a call, in order. */
export function argumentsOf(call: CodeNode): Argument[] {
  return partsOf(call, "argument").map((node) => {
    const value = node.kind === "entry" ? part(node, "value") : null;
    return value ? { name: node.name, value } : { name: null, value: node };
  });
}

/** Returns the text of a literal key; null when it is computed. */
export function keyText(node: CodeNode): string | null {
  const at = plain(node);
  return at.kind === "string" || at.kind === "number" ? at.name : null;
}

/** Returns whether a value is a literal. */
export function isLiteral(node: CodeNode): boolean {
  const { kind } = plain(node);
  return kind === "string" || kind === "number" || kind === "boolean" || kind === "nothing" || kind === "pattern";
}

export function isNothing(node: CodeNode): boolean {
  return plain(node).kind === "nothing";
}

/** Returns whether two expressions have the same text: `a.b` and `a.b`. */
export function isSame(left: CodeNode, right: CodeNode): boolean {
  const [one, other] = [plain(left), plain(right)];
  if (one.kind !== other.kind || one.name !== other.name) return false;
  if (one.kind === "name" || one.kind === "self") return true;
  const [on, of] = [part(one, "on"), part(other, "on")];
  return one.kind === "member" && (on === null || of === null ? on === of : isSame(on, of));
}

/** Maximum depth at which the operands of an expression are searched for. */
const depthMax = 8;
const operandsMax = 8;

/** Returns every name, member, and call of an expression that isn't part of another. */
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
