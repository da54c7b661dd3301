import ts from "typescript";
import type { Role, Trait } from "../../code/ir.ts";
import type { Description, Made, Part } from "../lower.ts";

export type Described = Description<ts.Node>;

export type Parts = readonly Part<ts.Node>[];

/** Returns an expression without parentheses, casts, and assertions, or the expression of an expression statement. */
export function unwrap(node: ts.Node): ts.Node {
  let at = node;
  while (
    ts.isParenthesizedExpression(at) ||
    ts.isExpressionStatement(at) ||
    ts.isAsExpression(at) ||
    ts.isNonNullExpression(at) ||
    ts.isTypeAssertionExpression(at) ||
    ts.isSatisfiesExpression(at) ||
    ts.isPartiallyEmittedExpression(at) ||
    (ts.isJsxExpression(at) && at.expression !== undefined) ||
    isZeroComma(at)
  )
    at = ts.isBinaryExpression(at) ? at.right : (at.expression ?? at);
  return at;
}

/** Matches `(0, module.name)(…)`, which compilers emit. */
function isZeroComma(node: ts.Node): node is ts.BinaryExpression {
  return (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.CommaToken &&
    ts.isNumericLiteral(node.left)
  );
}

export function lastName(node: ts.Node): string | null {
  const at = unwrap(node);
  if (ts.isIdentifier(at) || ts.isPrivateIdentifier(at)) return at.text;
  if (ts.isPropertyAccessExpression(at)) return at.name.text;
  if (at.kind === ts.SyntaxKind.SuperKeyword) return "super";
  return ts.isElementAccessExpression(at) && ts.isStringLiteralLike(at.argumentExpression)
    ? at.argumentExpression.text
    : null;
}

const modifierTraits: Readonly<Partial<Record<ts.SyntaxKind, Trait>>> = {
  [ts.SyntaxKind.AsyncKeyword]: "async",
  [ts.SyntaxKind.StaticKeyword]: "static",
  [ts.SyntaxKind.ExportKeyword]: "exported",
  [ts.SyntaxKind.DefaultKeyword]: "default",
};

export function traitsOf(node: ts.Node): Trait[] {
  const modifiers = ts.canHaveModifiers(node) ? ts.getModifiers(node) : undefined;
  return (modifiers ?? []).flatMap(({ kind }) => modifierTraits[kind] ?? []);
}

export function functionLike(node: ts.FunctionLikeDeclaration): Described {
  if (!node.body) return { kind: "other" };
  const traits = traitsOf(node);
  if (node.asteriskToken) traits.push("generator");
  if (ts.isGetAccessor(node)) traits.push("get");
  if (ts.isClassElement(node)) traits.push("method");
  const name = ts.isConstructorDeclaration(node) ? "constructor" : node.name ? propertyText(node.name) : null;
  return {
    kind: "function",
    name,
    traits,
    parts: [...node.parameters.map((one): Part<ts.Node> => ["parameter", one]), ["body", node.body]],
  };
}

export function classLike(node: ts.ClassLikeDeclaration): Described {
  const bases = (node.heritageClauses ?? [])
    .filter(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)
    .flatMap(({ types }) => types.map(({ expression: base }): Part<ts.Node> => ["base", base]));
  const members = node.members.map((one): Part<ts.Node> => [null, one]);
  const body: Made<ts.Node> = { made: { kind: "block", parts: members }, start: node.members.pos, end: node.end };
  return { kind: "class", name: node.name?.text ?? null, traits: traitsOf(node), parts: [...bases, ["body", body]] };
}

export function nameOrTarget(name: ts.BindingName | ts.PropertyName): { name?: string } {
  return ts.isIdentifier(name) || ts.isPrivateIdentifier(name) ? { name: name.text } : {};
}

export function targetOf(name: ts.BindingName): Parts {
  return ts.isIdentifier(name) ? [] : [["target", name]];
}

export function propertyText(name: ts.Node): string | null {
  if (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) return name.text;
  if (ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) return name.text;
  return ts.isComputedPropertyName(name) && ts.isStringLiteralLike(name.expression) ? name.expression.text : null;
}

export function typeName(type: ts.TypeNode | undefined): string | null {
  if (!type || !ts.isTypeReferenceNode(type)) return null;
  return ts.isIdentifier(type.typeName) ? type.typeName.text : type.typeName.right.text;
}

export function optional(role: Role | null, node: ts.Node | undefined): Parts {
  return node ? [[role, node]] : [];
}

export function childrenOf(node: ts.Node): Parts {
  const parts: Part<ts.Node>[] = [];
  ts.forEachChild(node, (child) => {
    if (!ts.isTypeNode(child)) parts.push([null, child]);
  });
  return parts;
}
