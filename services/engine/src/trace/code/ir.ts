/** The kinds of code, common to all languages. */
export type Kind =
  | "module"
  | "class"
  | "function"
  | "parameter"
  | "block"
  | "name"
  | "self"
  | "member"
  | "index"
  | "call"
  | "assign"
  | "declare"
  | "object"
  | "list"
  | "entry"
  | "spread"
  | "string"
  | "template"
  | "number"
  | "boolean"
  | "nothing"
  | "pattern"
  | "binary"
  | "unary"
  | "choice"
  | "sequence"
  | "await"
  | "yield"
  | "return"
  | "throw"
  | "try"
  | "catch"
  | "if"
  | "loop"
  | "leave"
  | "import"
  | "export"
  | "other";

/** The role of a piece of code in the one around it. */
export type Role =
  | "on"
  | "callee"
  | "argument"
  | "key"
  | "value"
  | "fallback"
  | "target"
  | "left"
  | "right"
  | "operand"
  | "condition"
  | "then"
  | "otherwise"
  | "parameter"
  | "receiver"
  | "base"
  | "body"
  | "over"
  | "context"
  | "handler"
  | "final";

export type Trait =
  | "async"
  | "generator"
  | "get"
  | "static"
  | "method"
  | "callback"
  | "new"
  | "hoisted"
  | "local"
  | "field"
  | "rest"
  | "keys"
  | "exported"
  | "default"
  | "disposed"
  | "fixed"
  | "star"
  | "erased";

/**
 * A piece of code, to which every language is lowered:
 * - `call` has a `callee`, and an `argument` for each one passed; `new` is a trait of it, and a block is an argument.
 * - `declare` and `parameter` have a `name`, or a `target` that destructures the value: an `object` or a `list`.
 * - a `declare` of a field has a `key` for each name that a tag or an annotation gives it.
 * - a `list` that can't be changed, such as a tuple, is `fixed`.
 * - `entry` has a `name`, or a computed `key`; in a pattern it also has a `fallback`.
 * - `assign`, `binary`, and `unary` have their operator as `name`; literals have their text.
 * - `leave` is named `continue`, or after the label that it breaks out of.
 * - a `block` has a `context` for each value that is closed at its end: `with open(…)`.
 * - `import` has the module as `name`, and an `entry` for each name: the exported name, and the local name as `value`.
 * - `export` has an `entry` for each name, and the module as `name` when it comes from another; `star` is all of it.
 * - an `import` or `export` of types alone is `erased`: nothing of it runs.
 */
export interface CodeNode {
  readonly kind: Kind;
  readonly role: Role | null;
  /** Positions in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** The position that runtimes report; for a member or a call, that of its last name. */
  readonly at: number;
  readonly name: string | null;
  /** The last word of the declared type. */
  readonly type: string | null;
  readonly traits: readonly Trait[];
  readonly parent: CodeNode | null;
  /** The function around it; null at module level. */
  readonly owner: CodeNode | null;
  readonly children: readonly CodeNode[];
}

/** Lowers a text in one language; null when it is nested too deeply or takes too long. */
export type Lowering = (name: string, text: string) => CodeNode | null;

/** What reads the texts of one language. */
export interface LanguageReader {
  readonly lower: Lowering;
  /** Returns whether a text has no syntax error. */
  readonly isWellFormed: (name: string, text: string) => boolean;
}

/** Returns the part of a node with a role; null without one. */
export function part(node: CodeNode, role: Role): CodeNode | null {
  for (const child of node.children) if (child.role === role) return child;
  return null;
}

export function partsOf(node: CodeNode, role: Role): CodeNode[] {
  return node.children.filter((child) => child.role === role);
}

export function is(node: CodeNode, trait: Trait): boolean {
  return node.traits.includes(trait);
}

/** Returns the nearest node of the given kinds that contains `node` or is it. */
export function around(node: CodeNode | null, ...kinds: readonly Kind[]): CodeNode | null {
  for (let at = node; at !== null; at = at.parent) if (kinds.includes(at.kind)) return at;
  return null;
}

/** Returns whether a node is inside another, or is it. */
export function isWithin(node: CodeNode, outer: CodeNode): boolean {
  return node.start >= outer.start && node.end <= outer.end;
}

/** Maximum nodes of a function that are examined, which is some hundred lines. */
export const functionNodesMax = 3_000;

/**
 * Yields every node of `root`, itself included, in text order, up to `max`. Not recursive, because code can be nested
 * deeply.
 */
export function* walk(root: CodeNode, max = Number.POSITIVE_INFINITY): Generator<CodeNode> {
  const pending = [root];
  let count = 0;
  for (let node = pending.pop(); node !== undefined && count++ < max; node = pending.pop()) {
    yield node;
    pushChildren(pending, node);
  }
}

/** Yields the nodes of a function or module, except those in functions or classes inside it. */
export function* walkOwn(root: CodeNode): Generator<CodeNode> {
  const pending = [root];
  let count = 0;
  for (let node = pending.pop(); node !== undefined && count++ < functionNodesMax; node = pending.pop()) {
    yield node;
    if (node === root || (node.kind !== "function" && node.kind !== "class")) pushChildren(pending, node);
  }
}

function pushChildren(pending: CodeNode[], { children }: CodeNode): void {
  for (let index = children.length - 1; index >= 0; index--) {
    const child = children[index];
    if (child) pending.push(child);
  }
}

/** Returns the innermost node that contains a position. */
export function nodeAt(root: CodeNode, position: number): CodeNode {
  let node = root;
  for (;;) {
    const inner = node.children.find(({ start, end }) => start <= position && position < end);
    if (!inner) return node;
    node = inner;
  }
}

/** Returns nodes that overlap the text between two positions, in text order, up to `max`. */
export function nodesBetween(root: CodeNode, start: number, end: number, max: number): CodeNode[] {
  const found: CodeNode[] = [];
  const pending = [root];
  for (let node = pending.pop(); node !== undefined && found.length < max; node = pending.pop()) {
    if (node.end < start || node.start > end) continue;
    found.push(node);
    pushChildren(pending, node);
  }
  return found;
}
