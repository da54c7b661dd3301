/** What a piece of code is, in words that hold for every language. */
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

/** What a piece of code is to the one around it. */
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
  | "star";

/**
 * A piece of code. Each language is lowered into these:
 * - `call` has a `callee`, and an `argument` for each one given; `new` is a trait of it, a block given to it an argument.
 * - `declare` and `parameter` have a `name`, or a `target` that takes the value apart: an `object` or a `list`.
 * - `entry` has a `name`, or a computed `key`; as a part of a pattern it has a `fallback` too.
 * - `assign`, `binary` and `unary` have their operator as `name`; literals have their text.
 * - `import` has the module as `name`, and an `entry` for each name: what is exported, and the local name as `value`.
 * - `export` has an `entry` for each name, and the module as `name` when it comes from another.
 */
export interface CodeNode {
  readonly kind: Kind;
  readonly role: Role | null;
  /** Positions in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** The position that runtimes report: of a member or a call that of its last name. */
  readonly at: number;
  readonly name: string | null;
  /** The last word of the declared type. */
  readonly type: string | null;
  readonly traits: readonly Trait[];
  readonly parent: CodeNode | null;
  /** The function around it; null in the module. */
  readonly owner: CodeNode | null;
  readonly children: readonly CodeNode[];
}

/** Lowers a text of one language; null for what is nested too deeply or takes too long. */
export type Lowering = (name: string, text: string) => CodeNode | null;

/** The part of a node with a role; null when it has none. */
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

/** The nearest node around `node`, itself included, of one of some kinds. */
export function around(node: CodeNode | null, ...kinds: readonly Kind[]): CodeNode | null {
  for (let at = node; at !== null; at = at.parent) if (kinds.includes(at.kind)) return at;
  return null;
}

/** Whether a node is inside of another, or is it. */
export function isWithin(node: CodeNode, outer: CodeNode): boolean {
  return node.start >= outer.start && node.end <= outer.end;
}

/** As much of a function as is looked at, in nodes: some hundred lines. */
export const functionNodesMax = 3_000;

/** Every node below and including `root`, in the order of the text, or the first `max`. Not by recursion: code can be nested deeply. */
export function* walk(root: CodeNode, max = Number.POSITIVE_INFINITY): Generator<CodeNode> {
  const pending = [root];
  let count = 0;
  for (let node = pending.pop(); node !== undefined && count++ < max; node = pending.pop()) {
    yield node;
    pushChildren(pending, node);
  }
}

/** What stands in a function, or in the module, and not in a function or class inside of it. */
export function* walkOwn(root: CodeNode, max = functionNodesMax): Generator<CodeNode> {
  const pending = [root];
  let count = 0;
  for (let node = pending.pop(); node !== undefined && count++ < max; node = pending.pop()) {
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

/** The innermost node that spans a position. */
export function nodeAt(root: CodeNode, position: number): CodeNode {
  let node = root;
  for (;;) {
    const inner = node.children.find(({ start, end }) => start <= position && position < end);
    if (!inner) return node;
    node = inner;
  }
}

/** Nodes that have a part of the text between two positions, in the order of the text; the first `max`. */
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
