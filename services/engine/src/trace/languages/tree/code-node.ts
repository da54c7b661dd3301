/** What a piece of code is, in words that hold for every language that is read with a grammar. */
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
  | "collection"
  | "list"
  | "entry"
  | "string"
  | "number"
  | "boolean"
  | "nothing"
  | "binary"
  | "unary"
  | "choice"
  | "return"
  | "throw"
  | "try"
  | "catch"
  | "if"
  | "loop"
  | "import"
  | "operator"
  | "wrapper"
  | "other";

/** A part that a piece of code has, by what it is to that piece. */
export type Part =
  | "name"
  | "on"
  | "key"
  | "callee"
  | "arguments"
  | "block"
  | "target"
  | "value"
  | "operator"
  | "left"
  | "right"
  | "operand"
  | "condition"
  | "consequence"
  | "otherwise"
  | "parameters"
  | "body"
  | "over"
  | "type"
  | "receiver"
  | "from";

/** How a grammar's node is to be understood: its parts are named by the grammar's field, or by their position. */
export interface Shape {
  readonly kind: Kind;
  readonly parts?: Readonly<Partial<Record<Part, string | number>>>;
}

/** A piece of code. */
export interface CodeNode {
  readonly kind: Kind;
  /** What the grammar calls it. */
  readonly type: string;
  /** What it is to the node around it, in the grammar's words. */
  readonly field: string | null;
  /** Positions in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly shape: Shape;
  readonly parent: CodeNode | null;
  readonly children: readonly CodeNode[];
}

/** A part of a node; null when it has none of that name. */
export function part(node: CodeNode, name: Part): CodeNode | null {
  const at = node.shape.parts?.[name];
  if (at === undefined) return null;
  if (typeof at === "string") return node.children.find(({ field }) => field === at) ?? null;
  return node.children.at(at) ?? null;
}

/** The nearest node around `node`, itself included, of one of some kinds. */
export function around(node: CodeNode, ...kinds: readonly Kind[]): CodeNode | null {
  for (let at: CodeNode | null = node; at !== null; at = at.parent) if (kinds.includes(at.kind)) return at;
  return null;
}

/** Whether a node is inside of another, or is it. */
export function isWithin(node: CodeNode, outer: CodeNode): boolean {
  return node.start >= outer.start && node.end <= outer.end;
}

/**
 * Every node below and including `root`, in the order of the text, or the first `max` of them. Not by recursion: code
 * can be nested deeply.
 */
export function* walk(root: CodeNode, max = Number.POSITIVE_INFINITY): Generator<CodeNode> {
  const pending = [root];
  let count = 0;
  for (let node = pending.pop(); node !== undefined && count++ < max; node = pending.pop()) {
    yield node;
    for (let index = node.children.length - 1; index >= 0; index--) {
      const child = node.children[index];
      if (child) pending.push(child);
    }
  }
}

/** As much of a function as is looked at by those who look at many functions, in nodes: some hundred lines. */
export const functionNodesMax = 3_000;

/** What stands in a function, or in the module, and not in a function or class inside of it. */
export function* walkOwn(root: CodeNode): Generator<CodeNode> {
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    yield node;
    if (node !== root && (node.kind === "function" || node.kind === "class")) continue;
    for (let index = node.children.length - 1; index >= 0; index--) {
      const child = node.children[index];
      if (child) pending.push(child);
    }
  }
}
