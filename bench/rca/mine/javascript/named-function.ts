import ts from "typescript";
import type { NamedFunction } from "../ecosystem.ts";

/** Returns the named functions of a file, outer ones first; broken code is read as far as possible. */
export function functionsOf(text: string): readonly NamedFunction[] {
  const source = ts.createSourceFile("file.js", text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const found: NamedFunction[] = [];
  const visit = (node: ts.Node): void => {
    const name = ts.isFunctionLike(node) ? nameOf(node) : "";
    if (name !== "") found.push({ name, from: node.getStart(source), to: node.end });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function nameOf(node: ts.SignatureDeclaration): string {
  if (ts.isConstructorDeclaration(node)) return node.parent.name?.text ?? "";
  if (node.name !== undefined) return textOf(node.name);
  const { parent } = node;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) return textOf(parent.name);
  if (ts.isPropertyDeclaration(parent)) return textOf(parent.name);
  if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
    return ts.isPropertyAccessExpression(parent.left) || ts.isIdentifier(parent.left) ? lastName(parent.left) : "";
  }
  return "";
}

const textOf = (name: ts.Node): string =>
  ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isPrivateIdentifier(name) ? name.text : "";

/** Returns `parse` for `exports.parse`; a function that is the whole module is `module.exports`, as in a stack. */
function lastName(target: ts.PropertyAccessExpression | ts.Identifier): string {
  if (ts.isIdentifier(target)) return target.text === "exports" ? "" : target.text;
  return target.getText() === "module.exports" ? "module.exports" : target.name.text;
}
