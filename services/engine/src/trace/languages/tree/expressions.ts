import type { SourceText } from "../../../source-text.ts";
import { type CodeNode, part } from "./code-node.ts";

/** What is given to a call. */
export interface Argument {
  /** When it is given by name. */
  readonly name: string | null;
  readonly value: CodeNode;
}

/** An expression without what only wraps it: brackets, `await`, casts. */
export function plain(node: CodeNode): CodeNode {
  let at = node;
  while (at.kind === "wrapper") {
    const inner = part(at, "value") ?? (at.children.length === 1 ? at.children[0] : undefined);
    if (!inner) return at;
    at = inner;
  }
  return at;
}

/** The text of a node on one line, cut where it gets long. */
export function textOf(node: CodeNode, source: SourceText, unitsMax = 80): string {
  const text = source.text.slice(node.start, Math.min(node.end, node.start + 4 * unitsMax)).replace(/\s+/g, " ");
  return text.length > unitsMax ? `${text.slice(0, unitsMax)}…`.toWellFormed() : text;
}

/** A name as it is written; names are short. */
export function nameText(node: CodeNode, source: SourceText): string {
  return source.text.slice(node.start, Math.min(node.end, node.start + nameUnitsMax));
}

const nameUnitsMax = 200;

/** `c` of `a.b.c`, of `a.b.c()` and of `c`; null of anything else. */
export function lastName(node: CodeNode, source: SourceText): string | null {
  const at = plain(node);
  if (at.kind === "name" || at.kind === "self") return nameText(at, source);
  // A variable of an object is a member of it, with a sign instead of a receiver.
  if (at.type.endsWith("_variable")) return nameText(at, source).replace(/^[@$]+/, "");
  if (at.kind === "call") {
    const callee = part(at, "callee");
    if (callee) return callee.kind === "call" ? null : lastName(callee, source);
  }
  if (at.kind === "member" || at.kind === "call") {
    const name = part(at, "name");
    return name ? nameText(name, source) : null;
  }
  return at.shape.parts?.name !== undefined && at.kind !== "function" ? nameOfPart(at, source) : null;
}

function nameOfPart(node: CodeNode, source: SourceText): string | null {
  const name = part(node, "name");
  return name ? nameText(name, source) : null;
}

/** What a member, an element or a method is read of; null for a plain name. */
export function receiverOf(node: CodeNode): CodeNode | null {
  const at = plain(node);
  const callee = at.kind === "call" ? part(at, "callee") : null;
  if (callee) return receiverOf(callee);
  return at.kind === "member" || at.kind === "index" || at.kind === "call" ? part(at, "on") : null;
}

/** What a call is given, in order; what is spread is given as it is. */
export function argumentsOf(call: CodeNode, source: SourceText): Argument[] {
  const list = part(call, "arguments");
  return (list?.children ?? []).flatMap((node): Argument[] => {
    if (node.kind === "operator") return [];
    if (node.kind !== "entry") return [{ name: null, value: node }];
    const [key, value] = [part(node, "key"), part(node, "value")];
    if (!key || !value) return [];
    // Without a colon it is an element of a collection, given as a whole.
    return [{ name: keyText(key, source) ?? nameText(key, source), value }];
  });
}

/** The text of a key: a string, a symbol, or a name where a grammar gives keys as names; null when it is computed. */
export function keyText(node: CodeNode, source: SourceText): string | null {
  const at = plain(node);
  if (at.kind === "string") return isTemplate(at) ? null : stringText(at, source);
  if (at.type === "integer" || at.kind === "number") return nameText(at, source);
  const isBare = at.kind === "name" && (isKeyField(node) || isKeyField(at));
  return isBare ? nameText(at, source) : null;
}

function isKeyField({ field }: CodeNode): boolean {
  return field === "name" || field === "key";
}

/** What a string says, without its marks. */
export function stringText(node: CodeNode, source: SourceText): string {
  const inner = node.children.filter(({ type }) => stringContents.has(type));
  if (inner.length > 0) return inner.map((one) => source.text.slice(one.start, one.end)).join("");
  const text = source.text.slice(node.start, node.end);
  if (text.startsWith(":")) return text.slice(1).replace(/^"|"$/g, "");
  return /^["'`]/.test(text) ? text.slice(1, -1) : text;
}

const stringContents: ReadonlySet<string> = new Set([
  "string_content",
  "interpreted_string_literal_content",
  "raw_string_literal_content",
  "string_fragment",
  "multiline_string_fragment",
  "escape_sequence",
]);

/** Whether a string has values put into it. */
export function isTemplate(node: CodeNode): boolean {
  return node.children.some(({ type }) => type === "interpolation");
}

/** Whether a value is written out, so that it is what it is. */
export function isLiteral(node: CodeNode): boolean {
  const { kind } = plain(node);
  return kind === "string" || kind === "number" || kind === "boolean" || kind === "nothing";
}

export function isNothing(node: CodeNode): boolean {
  return plain(node).kind === "nothing";
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
      return [...inner((part(node, "arguments")?.children ?? []).map((one) => part(one, "value") ?? one)), node];
    case "binary":
    case "unary":
    case "choice":
    case "string":
    case "list":
      return inner(node.children.filter(({ kind }) => kind !== "operator"));
    case "other":
    case "wrapper":
      return inner(node.children);
    default:
      return [];
  }
}
