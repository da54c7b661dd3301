import ts from "typescript";
import { hashOf } from "../../mutation.ts";
import { calledName, type Operator, removeProperty, replace, type Variant } from "./operator.ts";

const quantities =
  /(ms|sec|seconds|minutes|time|timeout|size|length|amount|price|cents|total|bytes|delay|ttl|age|interval|limit|width|height|offset|count|max|min)$/i;
const thousand = 1000;
const leastQuantity = 10;
const conversions = new Set(["Number", "parseInt", "parseFloat", "String", "BigInt", "Boolean"]);
const parsers = new Set(["parse", "stringify", "from", "fromEntries"]);
const encodings: Readonly<Record<string, string>> = {
  utf8: "hex",
  "utf-8": "latin1",
  base64: "utf8",
  hex: "base64",
  latin1: "utf8",
  ascii: "base64",
  binary: "utf8",
};

/** Mistakes in values, and in the names under which they are passed on. */
export const data: readonly Operator[] = [
  {
    name: "wrong-key",
    variants: (node, source) => {
      if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name))
        return [replace(node.name, source, misspelt(node.name.text, node.pos))];
      if (ts.isShorthandPropertyAssignment(node))
        return [replace(node, source, `${misspelt(node.name.text, node.pos)}: ${node.name.text}`)];
      if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.name) && !isCalled(node))
        return [replace(node.name, source, misspelt(node.name.text, node.pos))];
      if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return [];
      if (node.dotDotDotToken !== undefined || !ts.isIdentifier(node.name)) return [];
      const key = node.propertyName ?? node.name;
      if (!ts.isIdentifier(key)) return [];
      const text = misspelt(key.text, node.pos);
      return [replace(key, source, node.propertyName === undefined ? `${text}: ${node.name.text}` : text)];
    },
  },
  {
    name: "drop-key",
    variants: (node, source) => {
      if (!ts.isPropertyAssignment(node) && !ts.isShorthandPropertyAssignment(node)) return [];
      return [removeProperty(node, source)];
    },
  },
  {
    name: "wrong-unit",
    variants: (node, source) => {
      if (ts.isNumericLiteral(node) && Number(node.text) >= leastQuantity)
        return [`${node.text} * ${thousand}`, `${node.text} / ${thousand}`].map((text) => replace(node, source, text));
      const name = ts.isPropertyAccessExpression(node) ? node.name.text : ts.isIdentifier(node) ? node.text : "";
      if (!quantities.test(name) || !isRead(node)) return [];
      return [`${node.getText(source)} * ${thousand}`, `${node.getText(source)} / ${thousand}`].map((text) =>
        replace(node, source, text),
      );
    },
  },
  {
    name: "wrong-default",
    variants: (node, source) => {
      if (ts.isBinaryExpression(node) && isDefaulting(node.operatorToken.kind))
        return [replace(node, source, node.left.getText(source))];
      const hasDefault = (ts.isParameter(node) || ts.isBindingElement(node)) && node.initializer !== undefined;
      if (!hasDefault || node.initializer === undefined) return [];
      return [[{ start: node.name.getEnd(), end: node.initializer.getEnd(), text: "" }]];
    },
  },
  { name: "off-by-one", variants: offByOne },
  { name: "wrong-type", variants: wrongType },
  {
    name: "wrong-encoding",
    variants: (node, source) => {
      if (ts.isStringLiteral(node)) {
        const other = Object.hasOwn(encodings, node.text) ? encodings[node.text] : undefined;
        return other === undefined ? [] : [replace(node, source, JSON.stringify(other))];
      }
      if (!ts.isCallExpression(node) || !/^(en|de)codeURI(Component)?$/.test(calledName(node))) return [];
      return node.arguments[0] === undefined ? [] : [replace(node, source, node.arguments[0].getText(source))];
    },
  },
];

function offByOne(node: ts.Node, source: ts.SourceFile): Variant[] {
  if (ts.isElementAccessExpression(node) && ts.isNumericLiteral(node.argumentExpression))
    return [replace(node.argumentExpression, source, String(Number(node.argumentExpression.text) + 1))];
  if (!ts.isBinaryExpression(node)) return [];
  const { operatorToken, left, right } = node;
  const other = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" }[operatorToken.getText(source)];
  if (other !== undefined) return [replace(operatorToken, source, other)];
  const plusOrMinusOne = /^[+-]$/.test(operatorToken.getText(source)) && right.getText(source) === "1";
  return plusOrMinusOne ? [replace(node, source, left.getText(source))] : [];
}

function wrongType(node: ts.Node, source: ts.SourceFile): Variant[] {
  if (ts.isPropertyAssignment(node) && ts.isNumericLiteral(node.initializer))
    return [replace(node.initializer, source, `"${node.initializer.text}"`)];
  if (ts.isArrayLiteralExpression(node) && isRead(node)) {
    if (node.elements.length === 0) return [replace(node, source, "{}")];
    const [only, second] = node.elements;
    return only === undefined || second !== undefined ? [] : [replace(node, source, spreadOf(only).getText(source))];
  }
  if (ts.isNewExpression(node)) return notConstructed(node, source);
  if (!ts.isCallExpression(node)) return [];
  const [argument] = node.arguments;
  const name = calledName(node);
  const converts = ts.isIdentifier(node.expression) ? conversions.has(name) : parsers.has(name);
  if (converts && argument !== undefined) return [replace(node, source, argument.getText(source))];
  if (!ts.isPropertyAccessExpression(node.expression)) return [];
  if (/^(toString|split|toArray|valueOf|toISOString|getTime|flat|sort|reverse)$/.test(name))
    return [replace(node, source, node.expression.expression.getText(source))];
  return name === "json" && argument === undefined ? [replace(node.expression.name, source, "text")] : [];
}

function spreadOf(element: ts.Expression): ts.Expression {
  return ts.isSpreadElement(element) ? element.expression : element;
}

/** Returns the argument in place of the collection or date constructed from it. */
function notConstructed(node: ts.NewExpression, source: ts.SourceFile): Variant[] {
  const name = node.expression.getText(source);
  if (!/^(Map|Set|Date)$/.test(name)) return [];
  const instead = name === "Date" ? "Date.now()" : "{}";
  return [replace(node, source, node.arguments?.[0]?.getText(source) ?? instead)];
}

function isDefaulting(kind: ts.SyntaxKind): boolean {
  return kind === ts.SyntaxKind.BarBarToken || kind === ts.SyntaxKind.QuestionQuestionToken;
}

/**
 * Whether a node is an argument, an operand, an initial value, or a return value, rather than the target of an
 * assignment.
 */
function isRead(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return parent.expression !== node;
  if (ts.isBinaryExpression(parent)) return parent.right === node;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) return parent.initializer === node;
  return ts.isReturnStatement(parent);
}

function isCalled(node: ts.Node): boolean {
  return ts.isCallExpression(node.parent) && node.parent.expression === node;
}

/** Returns the name with a plausible misspelling. */
function misspelt(name: string, position: number): string {
  const snake = name.replace(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase();
  const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const choices = [
    ...(snake === name ? [] : [snake]),
    ...(camel === name ? [] : [camel]),
    name.endsWith("s") ? name.slice(0, -1) : `${name}s`,
    ...(name.endsWith("Id") ? [name.replace(/Id$/, "ID")] : []),
    ...(name.length > 4 ? [name.slice(0, -2) + name.slice(-1), name.slice(0, 1) + name.slice(2)] : [`${name}Value`]),
  ];
  return choices[hashOf(`${name}${position}`) % choices.length] ?? `_${name}`;
}
