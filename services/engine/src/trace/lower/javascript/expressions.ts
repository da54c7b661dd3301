import ts from "typescript";
import type { Made, Part } from "../lower.ts";
import {
  childrenOf,
  classLike,
  type Described,
  functionLike,
  lastName,
  optional,
  type Parts,
  propertyText,
  unwrap,
} from "./syntax.ts";

export function expression(node: ts.Node, tree: ts.SourceFile): Described {
  if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node))
    return node.text === "undefined" ? { kind: "nothing", name: "undefined" } : { kind: "name", name: node.text };
  if (ts.isPropertyAccessExpression(node))
    return { kind: "member", name: node.name.text, at: node.name.getStart(tree), parts: [["on", node.expression]] };
  if (ts.isElementAccessExpression(node)) return element(node);
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) return call(node, tree);
  if (ts.isStringLiteralLike(node)) return { kind: "string", name: node.text };
  if (ts.isNumericLiteral(node) || ts.isBigIntLiteral(node)) return { kind: "number", name: node.text };
  if (ts.isBinaryExpression(node)) return binary(node);
  if (ts.isFunctionExpression(node) || ts.isArrowFunction(node)) return functionLike(node);
  if (ts.isObjectLiteralExpression(node)) return { kind: "object", parts: node.properties.map(property(tree)) };
  if (ts.isArrayLiteralExpression(node)) return { kind: "list", parts: node.elements.map((one) => ["value", one]) };
  if (ts.isConditionalExpression(node))
    return {
      kind: "choice",
      parts: [
        ["condition", node.condition],
        ["then", node.whenTrue],
        ["otherwise", node.whenFalse],
      ],
    };
  if (ts.isAwaitExpression(node)) return { kind: "await", parts: [["value", node.expression]] };
  if (ts.isSpreadElement(node)) return { kind: "spread", parts: [["value", node.expression]] };
  if (ts.isTemplateExpression(node)) return template(node);
  if (ts.isTaggedTemplateExpression(node))
    return {
      kind: "call",
      name: lastName(node.tag),
      parts: [
        ["callee", node.tag],
        ["argument", node.template],
      ],
    };
  return rarer(node, tree);
}

/** A method of an object literal is the value of an entry. */
function property(tree: ts.SourceFile): (node: ts.ObjectLiteralElementLike) => Part<ts.Node> {
  return (node) => {
    if (!ts.isMethodDeclaration(node) && !ts.isAccessor(node)) return [null, node];
    const made: Described = { kind: "entry", name: propertyText(node.name), parts: [["value", node]] };
    return [null, { made, start: node.getStart(tree), end: node.end }];
  };
}

function rarer(node: ts.Node, tree: ts.SourceFile): Described {
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
    const isNumber = ts.isNumericLiteral(node.operand) && node.operator === ts.SyntaxKind.MinusToken;
    if (isNumber) return { kind: "number", name: `-${node.operand.getText(tree)}` };
    return { kind: "unary", name: ts.tokenToString(node.operator) ?? "", parts: [["operand", node.operand]] };
  }
  if (ts.isVoidExpression(node)) return { kind: "nothing", name: "undefined" };
  if (ts.isTypeOfExpression(node)) return { kind: "unary", name: "typeof", parts: [["operand", node.expression]] };
  if (ts.isDeleteExpression(node)) return { kind: "unary", name: "delete", parts: [["operand", node.expression]] };
  if (ts.isYieldExpression(node)) return { kind: "yield", parts: optional("value", node.expression) };
  if (ts.isClassExpression(node)) return classLike(node);
  if (ts.isMetaProperty(node)) return { kind: "name", name: node.getText(tree) };
  if (ts.isRegularExpressionLiteral(node)) return { kind: "pattern", name: node.text };
  if (ts.isJsxElement(node)) return jsxCall(node.openingElement, node.children, tree);
  if (ts.isJsxSelfClosingElement(node)) return jsxCall(node, [], tree);
  switch (node.kind) {
    case ts.SyntaxKind.NullKeyword:
      return { kind: "nothing", name: "null" };
    case ts.SyntaxKind.TrueKeyword:
    case ts.SyntaxKind.FalseKeyword:
      return { kind: "boolean", name: node.kind === ts.SyntaxKind.TrueKeyword ? "true" : "false" };
    case ts.SyntaxKind.ThisKeyword:
      return { kind: "self", name: "this" };
    case ts.SyntaxKind.SuperKeyword:
      return { kind: "self", name: "super" };
    case ts.SyntaxKind.OmittedExpression:
      return { kind: "other" };
    default:
      return { kind: "other", parts: childrenOf(node) };
  }
}

/** `a["b"]` becomes `a.b`. */
function element(node: ts.ElementAccessExpression): Described {
  const { argumentExpression: key, expression: on } = node;
  if (ts.isStringLiteralLike(key)) return { kind: "member", name: key.text, at: key.pos, parts: [["on", on]] };
  return {
    kind: "index",
    at: key.pos,
    parts: [
      ["on", on],
      ["key", key],
    ],
  };
}

function call(node: ts.CallExpression | ts.NewExpression, tree: ts.SourceFile): Described {
  const callee = unwrap(node.expression);
  const isNew = ts.isNewExpression(node);
  const at = isNew
    ? undefined
    : ts.isPropertyAccessExpression(callee)
      ? callee.name.getStart(tree)
      : callee.getStart(tree);
  const given = (node.arguments ?? []).map((one): Part<ts.Node> => ["argument", one]);
  const name = node.expression.kind === ts.SyntaxKind.ImportKeyword ? "import" : lastName(callee);
  return {
    kind: "call",
    name,
    ...(at === undefined ? {} : { at }),
    traits: isNew ? ["new"] : [],
    parts: [["callee", callee], ...given],
  };
}

/** `<Card title={title} />` becomes a call of `Card` with an object. */
function jsxCall(
  node: ts.JsxOpeningElement | ts.JsxSelfClosingElement,
  children: readonly ts.Node[],
  tree: ts.SourceFile,
): Described {
  const { attributes } = node;
  const properties: Made<ts.Node> = {
    made: { kind: "object", parts: attributes.properties.map((one) => [null, one]) },
    start: attributes.getStart(tree),
    end: attributes.end,
  };
  const inner = children.map((one): Part<ts.Node> => [null, one]);
  return {
    kind: "call",
    name: lastName(node.tagName),
    parts: [["callee", node.tagName], ["argument", properties], ...inner],
  };
}

function binary(node: ts.BinaryExpression): Described {
  const { kind } = node.operatorToken;
  const { left, right } = node;
  if (kind === ts.SyntaxKind.CommaToken)
    return {
      kind: "sequence",
      parts: [
        [null, left],
        ["value", right],
      ],
    };
  const isAssignment = kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
  const name = ts.tokenToString(kind) ?? "";
  return isAssignment
    ? {
        kind: "assign",
        name,
        at: node.operatorToken.end - name.length,
        parts: [
          ["target", left],
          ["value", right],
        ],
      }
    : {
        kind: "binary",
        name,
        parts: [
          ["left", left],
          ["right", right],
        ],
      };
}

function template(node: ts.TemplateExpression): Described {
  const piece = (part: ts.Node & { readonly text: string }): Made<ts.Node> => ({
    made: { kind: "string", name: part.text },
    start: part.pos,
    end: part.end,
  });
  const spans = node.templateSpans.flatMap(
    (span): Parts => [
      ["operand", span.expression],
      [null, piece(span.literal)],
    ],
  );
  return { kind: "template", parts: [[null, piece(node.head)], ...spans] };
}
