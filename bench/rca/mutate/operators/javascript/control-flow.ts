import ts from "typescript";
import { inList, type Operator, remove, replace, type Variant } from "./operator.ts";

/** Mistakes in control flow. */
export const controlFlow: readonly Operator[] = [
  {
    name: "drop-guard",
    variants: (node, source) => {
      if (ts.isIfStatement(node) && node.elseStatement === undefined && inList(node) && leaves(node.thenStatement))
        return [remove(node, source)];
      if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken)
        return [replace(node, source, node.right.getText(source)), replace(node, source, node.left.getText(source))];
      return isOptional(node) ? [withoutQuestionMark(node, source)] : [];
    },
  },
  {
    name: "negate-condition",
    variants: (node, source) => {
      if (ts.isIfStatement(node)) return [replace(node.expression, source, negated(node.expression, source))];
      if (ts.isConditionalExpression(node)) return [replace(node.condition, source, negated(node.condition, source))];
      return [];
    },
  },
  {
    name: "drop-return",
    variants: (node, source) => {
      if (ts.isReturnStatement(node) && node.expression !== undefined) {
        const nothing = replace(
          node,
          source,
          node.expression.kind === ts.SyntaxKind.NullKeyword ? "return;" : "return null;",
        );
        const value = node.expression.getText(source);
        return /^(\{|function|class|async function)/.test(value)
          ? [nothing]
          : [replace(node, source, `${value};`), nothing];
      }
      if (!ts.isArrowFunction(node) || ts.isBlock(node.body)) return [];
      const body = ts.isParenthesizedExpression(node.body) ? node.body.expression : node.body;
      if (ts.isObjectLiteralExpression(body)) return [];
      return [replace(node.body, source, `{ ${node.body.getText(source)}; }`)];
    },
  },
  {
    name: "return-early",
    variants: (node, source) => {
      if (!ts.isBlock(node) || node.statements.length < 2) return [];
      const last = node.statements.at(-1);
      const breaks = ts.isIterationStatement(node.parent, false) ? "break;" : "return;";
      if (last === undefined || ts.isReturnStatement(last) || ts.isBreakStatement(last)) return [];
      return [replace(last, source, breaks)];
    },
  },
  {
    name: "drop-await",
    variants: (node, source) =>
      ts.isAwaitExpression(node) ? [replace(node, source, node.expression.getText(source))] : [],
  },
  {
    name: "swallow-error",
    variants: (node, source) => {
      if (ts.isThrowStatement(node) && inList(node)) return [replace(node, source, "return;")];
      if (ts.isCatchClause(node) && node.block.statements.length > 0) return [replace(node.block, source, "{}")];
      if (!ts.isCallExpression(node) || !isMember(node.expression, "catch")) return [];
      return [replace(node.arguments[0] ?? node, source, "() => undefined")];
    },
  },
];

function leaves(statement: ts.Statement): boolean {
  const last = ts.isBlock(statement) ? statement.statements.at(-1) : statement;
  if (last === undefined || (ts.isBlock(statement) && statement.statements.length > 3)) return false;
  return ts.isReturnStatement(last) || ts.isThrowStatement(last) || ts.isContinueStatement(last);
}

function negated(condition: ts.Expression, source: ts.SourceFile): string {
  const text = condition.getText(source);
  const isNot = ts.isPrefixUnaryExpression(condition) && condition.operator === ts.SyntaxKind.ExclamationToken;
  if (isNot) return condition.operand.getText(source);
  return ts.isIdentifier(condition) || ts.isPropertyAccessExpression(condition) || ts.isCallExpression(condition)
    ? `!${text}`
    : `!(${text})`;
}

function isOptional(node: ts.Node): node is ts.PropertyAccessExpression {
  return ts.isPropertyAccessExpression(node) && node.questionDotToken !== undefined;
}

function withoutQuestionMark(node: ts.PropertyAccessExpression, source: ts.SourceFile): Variant {
  return replace(node, source, `${node.expression.getText(source)}.${node.name.text}`);
}

function isMember(node: ts.Expression, name: string): boolean {
  return ts.isPropertyAccessExpression(node) && node.name.text === name;
}
