import type { Parser, Tree, TreeCursor } from "@vscode/tree-sitter-wasm";
import type { CodeNode, Shape } from "./code-node.ts";
import type { Dialect } from "./dialect.ts";

/** Brackets within brackets: nobody writes more, and the parser's time grows with them. */
const nestingMax = 500;
const nodesMax = 400_000;
const other: Shape = { kind: "other" };
const operator: Shape = { kind: "operator" };

/**
 * Processor time that one investigation spends in a parser: what people write takes a tenth of it. Broken text can take
 * the square of its length, and neither its length nor the parser's steps tell beforehand.
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

/** Of this thread: what else the machine does takes nothing away. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / microsecondsPerMs;
}

const microsecondsPerMs = 1_000;

interface Growing extends CodeNode {
  readonly children: Growing[];
}

/**
 * The code of a text as a tree of our own, so that nothing is held in the parser's memory afterwards. A broken text is
 * read as far as it goes; null for one that is nested so deeply, or has so many pieces, that nobody wrote it.
 */
export function readTree(parser: BoundedParser, dialect: Dialect, text: string): CodeNode | null {
  if (nestingOf(text) > nestingMax) return null;
  const tree = parser.parse(text);
  if (!tree) return null;
  const cursor = tree.walk();
  try {
    return grow(cursor, dialect.shapes);
  } finally {
    cursor.delete();
    tree.delete();
  }
}

function grow(cursor: TreeCursor, shapes: Dialect["shapes"]): CodeNode | null {
  const root = nodeAt(cursor, null, shapes);
  let parent = root;
  let count = 0;
  // Where a node was left out, its children go to the node around it; none that is left out has any.
  for (let isDown = cursor.gotoFirstChild(); isDown; ) {
    if (++count > nodesMax) return null;
    const isKept = (cursor.nodeIsNamed && !cursor.nodeType.endsWith("comment")) || cursor.currentFieldName !== null;
    const node = isKept ? nodeAt(cursor, parent, shapes) : null;
    if (node) parent.children.push(node);
    if (node && cursor.gotoFirstChild()) {
      parent = node;
      continue;
    }
    isDown = cursor.gotoNextSibling();
    while (!isDown && cursor.gotoParent()) {
      const outer = parent.parent as Growing | null;
      if (outer === null) return root;
      parent = outer;
      isDown = cursor.gotoNextSibling();
    }
  }
  return root;
}

function nodeAt(cursor: TreeCursor, parent: Growing | null, shapes: Dialect["shapes"]): Growing {
  const type = cursor.nodeType;
  const shape = cursor.nodeIsNamed ? ((Object.hasOwn(shapes, type) ? shapes[type] : undefined) ?? other) : operator;
  return {
    kind: shape.kind,
    type,
    field: cursor.currentFieldName,
    start: cursor.startIndex,
    end: cursor.endIndex,
    shape,
    parent,
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
