import type { Parser, Tree, TreeCursor } from "@vscode/tree-sitter-wasm";
import type { CodeNode, Kind, Role, Trait } from "../code/ir.ts";
import { type Description, lower, type Made, type Part } from "./lower.ts";

/** A node of a tree-sitter tree, copied so that nothing is kept in the parser's memory. */
export interface SyntaxNode {
  readonly type: string;
  /** Its field in the node around it, in the grammar's terms. */
  readonly field: string | null;
  readonly isNamed: boolean;
  readonly start: number;
  readonly end: number;
  readonly children: readonly SyntaxNode[];
}

export type Described = Description<SyntaxNode>;
export type SyntaxPart = Part<SyntaxNode>;

/** Describes a node that a shape can't. */
export type Describe = (node: SyntaxNode, read: ReadText, role: Role | null) => Described;
/** Returns the text of a node; empty without one. */
export type ReadText = (node: SyntaxNode | null | undefined) => string;

/** How nodes of one type are described. */
export interface Shape {
  readonly kind: Kind;
  /** The field that holds the name, which isn't a part of its own; `text` for the node's whole text. */
  readonly name?: string;
  /** Roles by the grammar's field, or by position among the named children. */
  readonly parts?: Readonly<Record<string | number, Role>>;
  /** Fields whose children have the role. */
  readonly lists?: Readonly<Record<string, Role>>;
  /** The role of children without a field. */
  readonly others?: Role;
  readonly traits?: readonly Trait[];
}

export type Shapes = Readonly<Record<string, Shape | Describe>>;

/** Maximum nesting of brackets. Handwritten code has less, and the parser's time grows with it. */
const nestingMax = 500;
const nodesMax = 400_000;
const depthMax = Number.POSITIVE_INFINITY;

/**
 * Processor time that one investigation spends in a parser, ten times what handwritten code takes. Broken text can take
 * time quadratic in its length, which neither its length nor the parser's steps predict.
 */
const parserMsMax = 600;

/** A parser that stops when its texts have taken too long in total. */
export class BoundedParser {
  readonly #parser: Parser;
  #msLeft = parserMsMax;

  constructor(parser: Parser) {
    this.#parser = parser;
  }

  /** Null when the time is used up. */
  parse(text: string): Tree | null {
    const before = processorMs();
    const isOver = (): boolean => processorMs() - before > this.#msLeft;
    const tree = isOver() ? null : this.#parser.parse(text, null, { progressCallback: isOver });
    if (!tree) this.#parser.reset();
    this.#msLeft -= processorMs() - before;
    return tree;
  }

  /** Returns whether a text has no error that the grammar sees; false when the time is used up. */
  isWellFormed(text: string): boolean {
    const tree = nestingOf(text) > nestingMax ? null : this.parse(text);
    const isWhole = tree !== null && !tree.rootNode.hasError;
    tree?.delete();
    return isWhole;
  }
}

/** The thread's own processor time, unaffected by other load on the machine. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / microsecondsPerMs;
}

const microsecondsPerMs = 1_000;

/** Lowers a text by the shapes of its grammar's nodes; null when it is nested too deeply or takes too long. */
export function lowerTree(
  parser: BoundedParser,
  shapes: Shapes,
  wrappers: ReadonlySet<string>,
  text: string,
): CodeNode | null {
  const root = nestingOf(text) > nestingMax ? null : readTree(parser, text);
  if (!root) return null;
  const read: ReadText = (node) => (node ? text.slice(node.start, node.end) : "");
  const open = (node: SyntaxNode): SyntaxNode => unwrap(node, wrappers);
  return lower<SyntaxNode>(root, {
    describe: (node, role) => describe(open(node), role, shapes, read),
    start: (node) => open(node).start,
    end: (node) => open(node).end,
    depthMax,
  });
}

/** Replaces a node that only wraps another one by that node. */
function unwrap(node: SyntaxNode, wrappers: ReadonlySet<string>): SyntaxNode {
  let at = node;
  while (wrappers.has(at.type)) {
    const inner = named(at);
    if (inner.length !== 1 || !inner[0]) return at;
    at = inner[0];
  }
  return at;
}

function describe(node: SyntaxNode, role: Role | null, shapes: Shapes, read: ReadText): Described {
  const shape = Object.hasOwn(shapes, node.type) ? shapes[node.type] : undefined;
  if (!shape) return { kind: "other", parts: partsOfAll(node) };
  return typeof shape === "function" ? shape(node, read, role) : describeBy(shape, node, read);
}

/** Describes a `try`, whose handlers are of a type: `catch_clause`, `except_clause`. */
export function tryOf(handler: string): Describe {
  const parts: Readonly<Record<string, Role>> = { [handler]: "handler", finally_clause: "final" };
  return (node) => ({
    kind: "try",
    parts: named(node).map((one): SyntaxPart => {
      const role = one.field === "body" ? "body" : (parts[one.type] ?? null);
      return [role, role === "final" ? (named(one)[0] ?? one) : one];
    }),
  });
}

/** Describes a node by its shape. */
export function describeBy(shape: Shape, node: SyntaxNode, read: ReadText): Described {
  const { kind, name, parts = {}, lists = {}, others, traits = [] } = shape;
  const found: SyntaxPart[] = [];
  let position = -1;
  let at: number | undefined;
  for (const child of node.children) {
    if (!child.isNamed) continue;
    position++;
    const { field } = child;
    if (field !== null && field === name) {
      at = child.start;
      continue;
    }
    const list = field === null ? undefined : lists[field];
    if (list !== undefined) found.push(...named(child).map((one): SyntaxPart => [list, one]));
    else found.push([parts[field ?? position] ?? parts[position] ?? (field === null ? (others ?? null) : null), child]);
  }
  const text = name === undefined ? null : name === "text" ? read(node) : read(child(node, name));
  const isDeclared = kind === "function" || kind === "class" || kind === "declare";
  return {
    kind,
    name: text === "" ? null : text,
    traits,
    parts: found,
    ...(at === undefined || isDeclared ? {} : { at }),
  };
}

function partsOfAll(node: SyntaxNode): SyntaxPart[] {
  return named(node).map((one) => [null, one]);
}

export function child(node: SyntaxNode, field: string): SyntaxNode | null {
  return node.children.find((one) => one.field === field) ?? null;
}

export function childrenOf(node: SyntaxNode, field: string): SyntaxNode[] {
  return node.children.filter((one) => one.field === field);
}

export function named(node: SyntaxNode): SyntaxNode[] {
  return node.children.filter(({ isNamed }) => isNamed);
}

/** Returns a part with a role, if there is a node for it. */
export function optional(role: Role | null, node: SyntaxNode | Made<SyntaxNode> | null | undefined): SyntaxPart[] {
  return node ? [[role, node]] : [];
}

/** Creates a piece of code at the position of a node that the grammar doesn't have for it. */
export function made({ start, end }: SyntaxNode, description: Described): Made<SyntaxNode> {
  return { made: description, start, end };
}

/** Creates `object.name` from the parts that the grammar gives; only `name` without an object. */
export function memberOf(whole: SyntaxNode, on: SyntaxNode | null, name: SyntaxNode, read: ReadText): Made<SyntaxNode> {
  if (!on) return made(name, { kind: "name", name: read(name) });
  return {
    made: { kind: "member", name: read(name), at: name.start, parts: [["on", on]] },
    start: whole.start,
    end: name.end,
  };
}

/** Describes a string, plain or with interpolated values. */
export function stringOf(contents: ReadonlySet<string>): Describe {
  return (node, read) => {
    const inner = named(node).filter(({ type }) => contents.has(type) || type === "interpolation");
    const isTemplate = inner.some(({ type }) => type === "interpolation");
    if (!isTemplate) {
      const text = inner.length > 0 ? inner.map(read).join("") : read(node).replace(/^\w{0,3}["'`]+|["'`]+$/g, "");
      return { kind: "string", name: text };
    }
    const parts = inner.flatMap((one): SyntaxPart[] =>
      one.type === "interpolation"
        ? named(one)
            .slice(0, 1)
            .map((value): SyntaxPart => ["operand", value])
        : [[null, made(one, { kind: "string", name: read(one) })]],
    );
    return { kind: "template", parts };
  };
}

interface Growing extends SyntaxNode {
  readonly children: Growing[];
}

function readTree(parser: BoundedParser, text: string): SyntaxNode | null {
  const tree = parser.parse(text);
  if (!tree) return null;
  const cursor = tree.walk();
  try {
    return grow(cursor);
  } finally {
    cursor.delete();
    tree.delete();
  }
}

function grow(cursor: TreeCursor): SyntaxNode | null {
  const root = nodeAt(cursor);
  const outer: Growing[] = [];
  let parent = root;
  let count = 0;
  for (let isDown = cursor.gotoFirstChild(); isDown; ) {
    if (++count > nodesMax) return null;
    const isKept = (cursor.nodeIsNamed && !cursor.nodeType.endsWith("comment")) || cursor.currentFieldName !== null;
    const node = isKept ? nodeAt(cursor) : null;
    if (node) parent.children.push(node);
    if (node && cursor.gotoFirstChild()) {
      outer.push(parent);
      parent = node;
      continue;
    }
    isDown = cursor.gotoNextSibling();
    while (!isDown && cursor.gotoParent()) {
      const up = outer.pop();
      if (!up) return root;
      parent = up;
      isDown = cursor.gotoNextSibling();
    }
  }
  return root;
}

function nodeAt(cursor: TreeCursor): Growing {
  return {
    type: cursor.nodeType,
    field: cursor.currentFieldName,
    isNamed: cursor.nodeIsNamed,
    start: cursor.startIndex,
    end: cursor.endIndex,
    children: [],
  };
}

/** Returns the nesting of brackets, counted only as far as it matters. */
function nestingOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length && deepest <= nestingMax; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x28 || unit === 0x5b || unit === 0x7b) deepest = Math.max(deepest, ++depth);
    else if ((unit === 0x29 || unit === 0x5d || unit === 0x7d) && depth > 0) depth--;
  }
  return deepest;
}
