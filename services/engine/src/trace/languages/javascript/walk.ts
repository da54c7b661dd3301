import ts from "typescript";

/** Every node below and including `root`, in the order of the text. Not by recursion: code can be nested deeply. */
export function visit(root: ts.Node, each: (node: ts.Node) => void): void {
  visitBetween(root, root.pos, root.end, each);
}

/** Every node that has a part of the text between two positions. */
export function visitBetween(root: ts.Node, start: number, end: number, each: (node: ts.Node) => void): void {
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.end < start || node.pos > end) continue;
    each(node);
    const children: ts.Node[] = [];
    ts.forEachChild(node, (child) => {
      children.push(child);
    });
    for (let index = children.length - 1; index >= 0; index--) {
      const child = children[index];
      if (child) pending.push(child);
    }
  }
}

/** Nodes below `root` that pass the test, without what is inside other functions. */
export function within<N extends ts.Node>(root: ts.Node, test: (node: ts.Node) => node is N): N[] {
  const found: N[] = [];
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (test(node)) found.push(node);
    if (node !== root && ts.isFunctionLike(node)) continue;
    const children: ts.Node[] = [];
    ts.forEachChild(node, (child) => {
      children.push(child);
    });
    for (let index = children.length - 1; index >= 0; index--) {
      const child = children[index];
      if (child) pending.push(child);
    }
  }
  return found;
}

/** The nearest node around `node`, itself included, that passes the test. */
export function around<N extends ts.Node>(node: ts.Node, test: (node: ts.Node) => node is N): N | null {
  for (let at: ts.Node | undefined = node; at !== undefined; at = at.parent) if (test(at)) return at;
  return null;
}

/** The innermost node that spans a position. */
export function nodeAt(tree: ts.SourceFile, position: number): ts.Node {
  let node: ts.Node = tree;
  for (;;) {
    let inner: ts.Node | undefined;
    ts.forEachChild(node, (child) => {
      if (inner === undefined && child.getStart(tree) <= position && position < child.end) inner = child;
    });
    if (inner === undefined) return node;
    node = inner;
  }
}

/** The text of a node on one line, cut where it gets long. */
export function textOf(node: ts.Node, unitsMax = 80): string {
  const tree = node.getSourceFile();
  const start = node.getStart(tree);
  const text = tree.text.slice(start, Math.min(node.end, start + 4 * unitsMax)).replace(/\s+/g, " ");
  return text.length > unitsMax ? `${text.slice(0, unitsMax)}…`.toWellFormed() : text;
}
