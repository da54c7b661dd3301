import ts from "typescript";

/** A function with the name that a stack shows for it. */
export interface NamedFunction {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Reads JavaScript well enough to find its functions; broken code is read as far as it goes. */
export function parseJavaScript(text: string): ts.SourceFile {
  return ts.createSourceFile("file.js", text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
}

/** The innermost named function that holds the characters from `from` to `to`; undefined at module level. */
export function enclosingFunction(source: ts.SourceFile, from: number, to = from): NamedFunction | undefined {
  let found: NamedFunction | undefined;
  const visit = (node: ts.Node): void => {
    const start = node.getStart(source);
    if (start > from || node.end < to) return;
    const name = ts.isFunctionLike(node) && start < from && node.end > to ? nameOf(node) : "";
    if (name !== "") found = { name, from: start, to: node.end };
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

/** Of `exports.parse`, `parse`; a function that is the whole module is `module.exports`, as in a stack. */
function lastName(target: ts.PropertyAccessExpression | ts.Identifier): string {
  if (ts.isIdentifier(target)) return target.text === "exports" ? "" : target.text;
  return target.getText() === "module.exports" ? "module.exports" : target.name.text;
}

/** The 1-based line of a character. */
export function lineOf(source: ts.SourceFile, position: number): number {
  return source.getLineAndCharacterOfPosition(Math.min(position, source.text.length)).line + 1;
}
