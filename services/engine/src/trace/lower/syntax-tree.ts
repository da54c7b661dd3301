import type { Parser, Tree, TreeCursor } from "@vscode/tree-sitter-wasm";
import type { CodeNode, Kind, Role, Trait } from "../ir.ts";
import { type Description, lower, type Made, type Part } from "./lower.ts";

/** A node of a tree that tree-sitter made, copied so that nothing is held in the parser's memory. */
export interface SyntaxNode {
  readonly type: string;
  /** What it is to the node around it, in the grammar's words. */
  readonly field: string | null;
  readonly isNamed: boolean;
  readonly start: number;
  readonly end: number;
  readonly children: readonly SyntaxNode[];
}

export type Described = Description<SyntaxNode>;
export type SyntaxPart = Part<SyntaxNode>;

/** Describes a node that a table can't. */
export type Describe = (node: SyntaxNode, read: ReadText, role: Role | null) => Described;
/** The text of a node; empty for none. */
export type ReadText = (node: SyntaxNode | null | undefined) => string;

/** How the nodes of one type are described. */
export interface Shape {
  readonly kind: Kind;
  /** The field that names it, and isn't a part of its own; `text` for its whole text. */
  readonly name?: string;
  /** Roles by the grammar's field, or by the position among the named children. */
  readonly parts?: Readonly<Record<string | number, Role>>;
  /** Fields whose children have the role. */
  readonly lists?: Readonly<Record<string, Role>>;
  /** The role of children without a field. */
  readonly others?: Role;
  readonly traits?: readonly Trait[];
}

export type Shapes = Readonly<Record<string, Shape | Describe>>;

/** Depth of nested brackets. Handwritten code has fewer, and the parser's time grows with it. */
const nestingMax = 500;
const nodesMax = 400_000;
const depthMax = Number.POSITIVE_INFINITY;

/**
 * Processor time that one investigation spends in a parser: what people write takes a tenth of it. Broken text can take
 * the square of its length, and neither its length nor the parser's steps predict it.
 */
const parserMsMax = 600;

/** A parser that stops when what it was given in all has taken too long. */
export class BoundedParser {
  readonly #parser: Parser;
  #msLeft = parserMsMax;

  constructor(parser: Parser) {
    this.#parser = parser;
  }

  /** Null when the time is up. */
  parse(text: string): Tree | null {
    const before = processorMs();
    const isOver = (): boolean => processorMs() - before > this.#msLeft;
    const tree = isOver() ? null : this.#parser.parse(text, null, { progressCallback: isOver });
    if (!tree) this.#parser.reset();
    this.#msLeft -= processorMs() - before;
    return tree;
  }
}

/** The thread's own processor time, unaffected by other load on the machine. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / microsecondsPerMs;
}

const microsecondsPerMs = 1_000;

/** The code of a text by the shapes of its grammar's nodes; null when it is nested too deeply or takes too long. */
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

/** What only wraps one other node is that node. */
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

/** A node as its shape says. */
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

/** A part with a role, when there is one. */
export function optional(role: Role | null, node: SyntaxNode | Made<SyntaxNode> | null | undefined): SyntaxPart[] {
  return node ? [[role, node]] : [];
}

/** A piece that the grammar has no node for, where a node stands. */
export function made({ start, end }: SyntaxNode, description: Described): Made<SyntaxNode> {
  return { made: description, start, end };
}

/** `object.name`, made from the parts that the grammar gives; `name` alone without an object. */
export function memberOf(whole: SyntaxNode, on: SyntaxNode | null, name: SyntaxNode, read: ReadText): Made<SyntaxNode> {
  if (!on) return made(name, { kind: "name", name: read(name) });
  return {
    made: { kind: "member", name: read(name), at: name.start, parts: [["on", on]] },
    start: whole.start,
    end: name.end,
  };
}

/** A text, whole or with values put into it. */
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

/** How deeply brackets stand in brackets, counted no further than it matters. */
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
