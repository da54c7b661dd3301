import ts from "typescript";
import { pick } from "../../mutation.ts";
import { functionAround, inList, type Operator, remove, replace, type Variant } from "./operator.ts";

/** Mistakes in names: of a variable, a field, or a module, and in the place of a declaration. */
export const names: readonly Operator[] = [
  {
    name: "wrong-variable",
    variants: (node, source) => {
      if (!ts.isIdentifier(node) || !isUse(node)) return [];
      const others = namesInScope(node).filter((name) => name !== node.text);
      const other = pick(others, `${node.text}${node.pos}`);
      return other === undefined ? [] : [replace(node, source, other)];
    },
  },
  {
    name: "missing-initialization",
    variants: (node, source) => {
      if (ts.isPropertyDeclaration(node) && node.initializer !== undefined)
        return [[{ start: (node.type ?? node.name).getEnd(), end: node.initializer.getEnd(), text: "" }]];
      if (ts.isVariableDeclaration(node) && node.initializer !== undefined && ts.isIdentifier(node.name)) {
        if ((node.parent.flags & ts.NodeFlags.Const) !== 0) return [];
        return [[{ start: (node.type ?? node.name).getEnd(), end: node.initializer.getEnd(), text: "" }]];
      }
      return isFieldAssignment(node) ? [remove(node, source)] : [];
    },
  },
  { name: "shared-state", variants: (node, source) => (ts.isVariableStatement(node) ? hoisted(node, source) : []) },
  {
    name: "missing-export",
    variants: (node, source) => {
      if (ts.isExpressionStatement(node) && /^(module\.)?exports\.\w+ = /.test(node.getText(source)) && inList(node))
        return [remove(node, source)];
      const exported = ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isVariableStatement(node);
      const keyword = exported ? node.modifiers?.find(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) : undefined;
      return keyword === undefined ? [] : [[{ start: keyword.getStart(source), end: keyword.getEnd() + 1, text: "" }]];
    },
  },
  {
    name: "wrong-import",
    variants: (node, source) => {
      if (!ts.isStringLiteral(node) || !isModuleName(node)) return [];
      const other = pick(otherModules(node, source), `${node.text}${node.pos}`);
      return other === undefined ? [] : [replace(node, source, `'${other}'`)];
    },
  },
];

function isUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return parent.expression !== node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isElementAccessExpression(parent) || ts.isReturnStatement(parent) || ts.isSpreadElement(parent)) return true;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) return parent.initializer === node;
  return (
    ts.isBinaryExpression(parent) && (parent.right === node || parent.operatorToken.kind !== ts.SyntaxKind.EqualsToken)
  );
}

/** Returns the parameters of the function around a node, and its earlier declarations. */
function namesInScope(node: ts.Node): string[] {
  const around = functionAround(node);
  if (around?.body === undefined) return [];
  const parameters = around.parameters.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
  const statements: readonly ts.Statement[] = ts.isBlock(around.body) ? around.body.statements : [];
  const locals = statements.filter(ts.isVariableStatement).filter(({ end }) => end < node.pos);
  const declared = locals.flatMap(({ declarationList }) =>
    declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : [])),
  );
  return [...parameters, ...declared].filter((name) => name !== "this");
}

function isFieldAssignment(node: ts.Node): boolean {
  if (!ts.isExpressionStatement(node) || !inList(node) || !ts.isBinaryExpression(node.expression)) return false;
  const { left, operatorToken } = node.expression;
  return (
    operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isPropertyAccessExpression(left) &&
    !/^(module|exports)$/.test(left.expression.getText())
  );
}

/** Moves an empty object, list, or map out of a function, so that all calls share it. */
function hoisted(node: ts.VariableStatement, source: ts.SourceFile): Variant[] {
  const [declaration, second] = node.declarationList.declarations;
  const topLevel = ts.findAncestor(node, (outer): outer is ts.Statement => ts.isSourceFile(outer.parent));
  if (declaration?.initializer === undefined || second !== undefined || functionAround(node) === undefined) return [];
  if (topLevel === undefined || !/^(\[\]|\{\}|new (Map|Set)\(\)|0|'')$/.test(declaration.initializer.getText(source)))
    return [];
  const start = topLevel.getStart(source);
  const text = `${node.getText(source)}\n\n`;
  return [
    [
      { start: node.getStart(source), end: node.getEnd(), text: "" },
      { start, end: start, text },
    ],
  ];
}

function isModuleName(node: ts.StringLiteral): boolean {
  const { parent } = node;
  if (ts.isImportDeclaration(parent)) return true;
  return ts.isCallExpression(parent) && ts.isIdentifier(parent.expression) && parent.expression.text === "require";
}

function otherModules(node: ts.StringLiteral, source: ts.SourceFile): string[] {
  const found = [...source.text.matchAll(/(?:require\(|from )['"](\.[^'"]*)['"]/g)].map(([, name = ""]) => name);
  return [...new Set(found)].filter((name) => name !== node.text).sort();
}
