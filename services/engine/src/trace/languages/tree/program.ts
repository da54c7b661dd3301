import type { SourceText, Span } from "../../../source-text.ts";
import { blankOutside } from "../reading.ts";
import { type CodeNode, part } from "./code-node.ts";
import type { Dialect } from "./dialect.ts";
import { argumentsOf, keyText, lastName } from "./expressions.ts";
import { type BoundedParser, readTree } from "./read-tree.ts";

/** A file of code, with what is looked up in it by name. */
export interface CodeProgram {
  readonly source: SourceText;
  readonly dialect: Dialect;
  readonly tree: CodeNode;
  /** Whether its code is an installed package's. */
  readonly isInstalled: boolean;
  readonly functions: readonly CodeNode[];
  readonly classes: readonly CodeNode[];
  /** Calls by the last name of what is called. */
  readonly calls: ReadonlyMap<string, readonly CodeNode[]>;
  /** What is assigned, by the last name of what it is assigned to. */
  readonly writes: ReadonlyMap<string, readonly Write[]>;
  /** Values that are written under a key, by that key: in a collection, as a named argument, `x["key"] = value`, `put("key", value)`. */
  readonly entries: ReadonlyMap<string, readonly Entry[]>;
  readonly catches: readonly CodeNode[];
  /** Where errors are raised or made. */
  readonly raises: readonly CodeNode[];
  readonly loops: readonly CodeNode[];
  /** Every node by the line that it begins on. */
  readonly byLine: ReadonlyMap<number, readonly CodeNode[]>;
  /** The function around a node; null in the module. */
  readonly ownerOf: (node: CodeNode) => CodeNode | null;
}

/** `target = value`; of several values that come at once, the one at a position. */
export interface Write {
  readonly node: CodeNode;
  readonly target: CodeNode;
  /** Null when it is declared without one. */
  readonly value: CodeNode | null;
  readonly at: number | null;
}

/** A value and the key that it is written under. */
export interface Entry {
  readonly node: CodeNode;
  readonly value: CodeNode;
}

const installed = /\/(?:node_modules|site-packages|dist-packages|pkg\/mod|gems)\//;

/**
 * Null for what is nested so deeply that nobody wrote it, or takes the parser too long. Of some stretches of a file
 * nothing else is read, and what is read has its place in the whole text.
 */
export function readProgram(
  parser: BoundedParser,
  dialect: Dialect,
  source: SourceText,
  stretches: readonly Span[] | null,
): CodeProgram | null {
  const tree = readTree(parser, dialect, stretches ? blankOutside(source.text, stretches) : source.text);
  return (
    tree && { source, dialect, tree, isInstalled: isInstalledName(source.name), ...indexOf(tree, dialect, source) }
  );
}

/** Whether a path leads into an installed package. */
export function isInstalledName(name: string): boolean {
  return installed.test(`/${name}`);
}

type Index = Omit<CodeProgram, "source" | "dialect" | "tree" | "isInstalled">;
type Indexing = {
  functions: CodeNode[];
  classes: CodeNode[];
  calls: Map<string, CodeNode[]>;
  writes: Map<string, Write[]>;
  entries: Map<string, Entry[]>;
  catches: CodeNode[];
  raises: CodeNode[];
  loops: CodeNode[];
  byLine: Map<number, CodeNode[]>;
};

/** One walk through the tree for everybody. */
function indexOf(tree: CodeNode, dialect: Dialect, source: SourceText): Index {
  const index: Indexing = {
    functions: [],
    classes: [],
    calls: new Map(),
    writes: new Map(),
    entries: new Map(),
    catches: [],
    raises: [],
    loops: [],
    byLine: new Map(),
  };
  const owners = new Map<CodeNode, CodeNode | null>();
  const pending: [node: CodeNode, owner: CodeNode | null][] = [[tree, null]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [node, owner] = next;
    owners.set(node, owner);
    put(index.byLine, source.lineAt(node.start), node);
    indexNode(index, node, dialect, source);
    const inner = node.kind === "function" ? node : owner;
    for (let at = node.children.length - 1; at >= 0; at--) {
      const child = node.children[at];
      if (child) pending.push([child, inner]);
    }
  }
  return { ...index, ownerOf: (node) => owners.get(node) ?? null };
}

function indexNode(index: Indexing, node: CodeNode, dialect: Dialect, source: SourceText): void {
  switch (node.kind) {
    case "function":
      index.functions.push(node);
      break;
    case "class":
      index.classes.push(node);
      break;
    case "catch":
      index.catches.push(node);
      break;
    case "throw":
      index.raises.push(node);
      break;
    case "loop":
      index.loops.push(node);
      break;
    case "call":
      indexCall(index, node, dialect, source);
      break;
    case "assign":
    case "declare":
      indexWrite(index, node, source);
      break;
    case "entry":
      indexEntry(index, node, source);
      break;
    default:
  }
}

function indexCall(index: Indexing, node: CodeNode, dialect: Dialect, source: SourceText): void {
  const name = lastName(node, source);
  if (name === null) return;
  put(index.calls, name, node);
  if (dialect.raising.has(name) || dialect.errorMaking.has(name)) index.raises.push(node);
  if (!dialect.calls.putting.has(name)) return;
  const [...given] = argumentsOf(node, source);
  const value = given.at(-1)?.value;
  const key = given.at(-2)?.value;
  const text = key ? keyText(key, source) : null;
  if (value && text !== null) put(index.entries, text, { node, value });
}

function indexWrite(index: Indexing, node: CodeNode, source: SourceText): void {
  const target = part(node, "target");
  if (!target) return;
  const value = part(node, "value");
  const several = node.children.filter(({ field }) => field !== null && field === node.shape.parts?.target);
  const targets = several.length > 1 ? several : elementsOf(target);
  const values = value ? elementsOf(value) : [];
  for (const [at, one] of targets.entries()) {
    const own =
      targets.length === values.length ? (values[at] ?? null) : values.length === 1 ? (values[0] ?? null) : value;
    const isPart = targets.length > 1 && targets.length !== values.length;
    const write = { node, target: one, value: own, at: isPart ? at : null };
    // What is written to an element is written to its collection.
    const on = one.kind === "index" ? part(one, "on") : null;
    const name = lastName(on ?? one, source);
    if (name !== null) put(index.writes, name, write);
    const key = one.kind === "index" ? part(one, "key") : null;
    const text = key ? keyText(key, source) : null;
    if (text !== null && own) put(index.entries, text, { node, value: own });
  }
}

/** The elements of a list that is written without brackets, as in `a, b = b, a`; else the node itself. */
function elementsOf(node: CodeNode): readonly CodeNode[] {
  return bareLists.has(node.type) ? node.children : [node];
}

const bareLists: ReadonlySet<string> = new Set([
  "pattern_list",
  "tuple_pattern",
  "expression_list",
  "left_assignment_list",
  "right_assignment_list",
]);

function indexEntry(index: Indexing, node: CodeNode, source: SourceText): void {
  const key = part(node, "key");
  const value = part(node, "value");
  const text = key ? keyText(key, source) : null;
  if (value && text !== null) put(index.entries, text, { node, value });
}

function put<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
