import ts from "typescript";
import { calledName, inList, type Operator, remove, replace } from "./operator.ts";

const releases =
  /^(release|close|end|unlock|destroy|dispose|unref|disconnect|removeListener|off|finish|done|free|clear.*|reset.*)$/i;
const stores = /^(set|add|delete|clear|invalidate|evict|put|store|remove)$/;
const similar: Readonly<Record<string, string>> = {
  map: "forEach",
  forEach: "map",
  filter: "find",
  find: "filter",
  findIndex: "find",
  some: "every",
  every: "some",
  slice: "splice",
  splice: "slice",
  push: "concat",
  concat: "push",
  shift: "pop",
  pop: "shift",
  get: "has",
  keys: "values",
  values: "keys",
  entries: "keys",
  flatMap: "map",
  indexOf: "includes",
  includes: "indexOf",
  match: "test",
  exec: "test",
  trim: "trimStart",
  substring: "substr",
  all: "allSettled",
  charAt: "charCodeAt",
  charCodeAt: "charAt",
  split: "slice",
  join: "concat",
};

/** Mistakes in the called function, its arguments, or the presence of the call. */
export const calls: readonly Operator[] = [
  {
    name: "swap-arguments",
    variants: (node, source) => {
      if (!isCall(node)) return [];
      return node.arguments.slice(1).flatMap((right, index) => {
        const left = node.arguments[index];
        if (left === undefined || left.getText(source) === right.getText(source)) return [];
        if (ts.isSpreadElement(left) || ts.isSpreadElement(right)) return [];
        const between = source.text.slice(left.getEnd(), right.getStart(source));
        const text = right.getText(source) + between + left.getText(source);
        return [[{ start: left.getStart(source), end: right.getEnd(), text }]];
      });
    },
  },
  {
    name: "drop-argument",
    variants: (node, source) => {
      if (!isCall(node)) return [];
      return node.arguments.map((dropped, index) => {
        const next = node.arguments[index + 1];
        const start = node.arguments[index - 1]?.getEnd();
        if (next === undefined) return [{ start: start ?? dropped.getStart(source), end: dropped.getEnd(), text: "" }];
        return [{ start: dropped.getStart(source), end: next.getStart(source), text: "" }];
      });
    },
  },
  { name: "missing-call", variants: (node, source) => (kindOf(node) === "call" ? [remove(node, source)] : []) },
  {
    name: "missing-release",
    variants: (node, source) => {
      if (kindOf(node) === "release") return [remove(node, source)];
      if (!ts.isTryStatement(node) || node.finallyBlock === undefined) return [];
      if (node.catchClause === undefined) return [replace(node.finallyBlock, source, "{}")];
      return [[{ start: node.catchClause.getEnd(), end: node.finallyBlock.getEnd(), text: "" }]];
    },
  },
  {
    name: "stale-state",
    variants: (node, source) => {
      if (kindOf(node) === "store") return [remove(node, source)];
      if (!ts.isExpressionStatement(node) || !inList(node) || !ts.isBinaryExpression(node.expression)) return [];
      const { left, operatorToken } = node.expression;
      if (operatorToken.kind !== ts.SyntaxKind.EqualsToken || !ts.isElementAccessExpression(left)) return [];
      return [remove(node, source)];
    },
  },
  {
    name: "similar-method",
    variants: (node, source) => {
      if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
      const other = Object.hasOwn(similar, node.expression.name.text) ? similar[node.expression.name.text] : undefined;
      return other === undefined ? [] : [replace(node.expression.name, source, other)];
    },
  },
];

function isCall(
  node: ts.Node,
): node is ts.CallExpression | (ts.NewExpression & { arguments: ts.NodeArray<ts.Expression> }) {
  return ts.isCallExpression(node) || (ts.isNewExpression(node) && node.arguments !== undefined);
}

/** Returns the kind of statement that is a single call. */
function kindOf(node: ts.Node): "release" | "store" | "call" | undefined {
  if (!ts.isExpressionStatement(node) || !inList(node)) return undefined;
  const call = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
  if (!ts.isCallExpression(call)) return undefined;
  const name = calledName(call);
  if (releases.test(name)) return "release";
  return stores.test(name) ? "store" : "call";
}
