import ts from "typescript";
import type { Part } from "../lower.ts";
import {
  childrenOf,
  type Described,
  functionLike,
  nameOrTarget,
  optional,
  type Parts,
  propertyText,
  targetOf,
  traitsOf,
  typeName,
} from "./syntax.ts";

/** `constructor(private readonly rows: Row[])` declares and sets a field. */
function isProperty(parameter: ts.ParameterDeclaration): boolean {
  return parameter.modifiers?.some(({ kind }) => propertyModifiers.has(kind)) ?? false;
}

const propertyModifiers: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.PublicKeyword,
  ts.SyntaxKind.PrivateKeyword,
  ts.SyntaxKind.ProtectedKeyword,
  ts.SyntaxKind.ReadonlyKeyword,
]);

export function declaration(node: ts.Node, tree: ts.SourceFile): Described {
  if (ts.isParameter(node))
    return {
      kind: "parameter",
      ...nameOrTarget(node.name),
      type: typeName(node.type),
      traits: node.dotDotDotToken ? ["rest"] : [...traitsOf(node), ...(isProperty(node) ? (["field"] as const) : [])],
      parts: [...targetOf(node.name), ...optional("fallback", node.initializer)],
    };
  if (ts.isPropertyAssignment(node)) return entry(node.name, node.initializer);
  if (ts.isShorthandPropertyAssignment(node))
    return {
      kind: "entry",
      name: node.name.text,
      parts: [["value", node.name], ...optional("fallback", node.objectAssignmentInitializer)],
    };
  if (ts.isSpreadAssignment(node) || ts.isJsxSpreadAttribute(node))
    return { kind: "spread", parts: [["value", node.expression]] };
  if (ts.isJsxAttribute(node))
    return { kind: "entry", name: node.name.getText(tree), parts: optional("value", node.initializer) };
  if (ts.isObjectBindingPattern(node) || ts.isArrayBindingPattern(node)) return pattern(node);
  if (ts.isBindingElement(node)) return bindingElement(node);
  if (ts.isPropertyDeclaration(node))
    return {
      kind: "declare",
      name: propertyText(node.name),
      type: typeName(node.type),
      traits: [...traitsOf(node), "field"],
      parts: optional("value", node.initializer),
    };
  if (isFunctionWithBody(node)) return functionLike(node);
  if (ts.isCatchClause(node))
    return { kind: "catch", parts: [...optional("target", node.variableDeclaration?.name), ["body", node.block]] };
  if (ts.isSourceFile(node)) return { kind: "module", parts: node.statements.map((one) => [null, one]) };
  if (ts.isCaseBlock(node)) return { kind: "block", parts: node.clauses.map((one) => [null, one]) };
  if (ts.isCaseClause(node))
    return {
      kind: "sequence",
      parts: [["condition", node.expression], ...node.statements.map((one): Part<ts.Node> => [null, one])],
    };
  if (ts.isTypeNode(node)) return { kind: "other" };
  return { kind: "other", parts: childrenOf(node) };
}

function isFunctionWithBody(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return ts.isMethodDeclaration(node) || ts.isAccessor(node) || ts.isConstructorDeclaration(node);
}

export function entry(name: ts.PropertyName, value: ts.Node): Described {
  const text = propertyText(name);
  const key: Parts = text === null && ts.isComputedPropertyName(name) ? [["key", name.expression]] : [];
  return { kind: "entry", name: text, parts: [...key, ["value", value]] };
}

export function pattern(node: ts.ObjectBindingPattern | ts.ArrayBindingPattern): Described {
  if (ts.isObjectBindingPattern(node)) return { kind: "object", parts: node.elements.map((one) => [null, one]) };
  const isPlain = (one: ts.ArrayBindingElement): one is ts.BindingElement =>
    ts.isBindingElement(one) && !one.initializer && !one.dotDotDotToken;
  return { kind: "list", parts: node.elements.map((one) => ["value", isPlain(one) ? one.name : one]) };
}

function bindingElement(node: ts.BindingElement): Described {
  if (node.dotDotDotToken) return { kind: "spread", parts: [["value", node.name]] };
  return {
    kind: "entry",
    name: propertyText(node.propertyName ?? node.name),
    parts: [["value", node.name], ...optional("fallback", node.initializer)],
  };
}
