import ts from "typescript";
import { calledName, type Operator, replace, type Variant } from "./operator.ts";

/** Methods that copy, and those that change what they are called on. */
const inPlace: Readonly<Record<string, string>> = { toSorted: "sort", toReversed: "reverse", toSpliced: "splice" };

/**
 * Mistakes whose symptom is elsewhere: a value that others keep, or that lost its type. They are recorded apart from the
 * other mutants, and train nothing.
 */
export const sharedValues: readonly Operator[] = [
  {
    name: "json-round-trip",
    variants: (node, source) => {
      const value = givenOn(node);
      if (value === undefined || ts.isLiteralExpression(value) || isBoolean(value)) return [];
      return [replace(value, source, `JSON.parse(JSON.stringify(${value.getText(source)}))`)];
    },
  },
  { name: "drop-copy", variants: withoutCopy },
];

/** Returns the value that a node returns or stores. */
function givenOn(node: ts.Node): ts.Expression | undefined {
  if (ts.isReturnStatement(node)) return node.expression;
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return node.body;
  return ts.isCallExpression(node) && calledName(node) === "set" ? node.arguments[1] : undefined;
}

function isBoolean({ kind }: ts.Node): boolean {
  return kind === ts.SyntaxKind.TrueKeyword || kind === ts.SyntaxKind.FalseKeyword;
}

function withoutCopy(node: ts.Node, source: ts.SourceFile): Variant[] {
  if (ts.isArrayLiteralExpression(node)) {
    const [only, second] = node.elements;
    return only && second === undefined && ts.isSpreadElement(only)
      ? [replace(node, source, only.expression.getText(source))]
      : [];
  }
  if (ts.isObjectLiteralExpression(node)) {
    const [first, ...others] = node.properties;
    if (first === undefined || !ts.isSpreadAssignment(first)) return [];
    const kept = first.expression.getText(source);
    const rest = others.map((one) => one.getText(source)).join(", ");
    return [replace(node, source, others.length === 0 ? kept : `Object.assign(${kept}, { ${rest} })`)];
  }
  if (ts.isNewExpression(node)) {
    const [copied] = node.arguments ?? [];
    const isCopy = /^(Map|Set)$/.test(node.expression.getText(source)) && copied !== undefined;
    return isCopy && ts.isPropertyAccessExpression(copied) ? [replace(node, source, copied.getText(source))] : [];
  }
  if (!ts.isCallExpression(node)) return [];
  const name = calledName(node);
  const [first, ...others] = node.arguments;
  if ((name === "structuredClone" || name === "from") && first !== undefined && others.length === 0)
    return [replace(node, source, first.getText(source))];
  if (!ts.isPropertyAccessExpression(node.expression)) return [];
  const { expression: on, name: method } = node.expression;
  if (name === "assign" && first !== undefined && first.getText(source) === "{}")
    return [replace(node, source, `Object.assign(${others.map((one) => one.getText(source)).join(", ")})`)];
  if (name === "slice" && first === undefined) return [replace(node, source, on.getText(source))];
  const other = Object.hasOwn(inPlace, name) ? inPlace[name] : undefined;
  return other === undefined ? [] : [replace(method, source, other)];
}
