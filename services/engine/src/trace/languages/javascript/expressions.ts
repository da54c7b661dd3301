import ts from "typescript";
import { propertyText } from "./functions.ts";
import { type FunctionNode, isFunction } from "./program.ts";
import { within } from "./walk.ts";

/** An expression without what does not change its value. */
export interface Plain {
  readonly node: ts.Expression;
  readonly isAwaited: boolean;
}

/** Without parentheses, assertions of types, `await`, and all but the last of `a, b`. */
export function plain(expression: ts.Expression): Plain {
  let node = expression;
  let isAwaited = false;
  for (;;) {
    if (ts.isAwaitExpression(node)) isAwaited = true;
    if (
      ts.isParenthesizedExpression(node) ||
      ts.isAsExpression(node) ||
      ts.isSatisfiesExpression(node) ||
      ts.isNonNullExpression(node) ||
      ts.isTypeAssertionExpression(node) ||
      ts.isAwaitExpression(node)
    ) {
      node = node.expression;
    } else if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.CommaToken) {
      node = node.right;
    } else return { node, isAwaited };
  }
}

/** `null`, `undefined`, `void 0`. */
export function isNullish(node: ts.Expression): boolean {
  return (
    node.kind === ts.SyntaxKind.NullKeyword ||
    ts.isVoidExpression(node) ||
    (ts.isIdentifier(node) && node.text === "undefined")
  );
}

/** What is written as a value: text, number, truth, nothing. */
export function isLiteral(node: ts.Expression): boolean {
  return (
    ts.isLiteralExpression(node) ||
    isNullish(node) ||
    node.kind === ts.SyntaxKind.TrueKeyword ||
    node.kind === ts.SyntaxKind.FalseKeyword ||
    (ts.isPrefixUnaryExpression(node) && ts.isNumericLiteral(node.operand)) ||
    (ts.isIdentifier(node) && (node.text === "NaN" || node.text === "Infinity"))
  );
}

/** Whether an expression can have the value undefined or null. */
export function mayBeNullish(expression: ts.Expression): boolean {
  const { node } = plain(expression);
  if (isNullish(node)) return true;
  if (ts.isConditionalExpression(node)) return mayBeNullish(node.whenTrue) || mayBeNullish(node.whenFalse);
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    if (kind === ts.SyntaxKind.BarBarToken || kind === ts.SyntaxKind.QuestionQuestionToken)
      return mayBeNullish(node.right);
    if (kind === ts.SyntaxKind.AmpersandAmpersandToken) return mayBeNullish(node.left) || mayBeNullish(node.right);
    return kind === ts.SyntaxKind.EqualsToken && mayBeNullish(node.right);
  }
  return !(
    isLiteral(node) ||
    ts.isTemplateExpression(node) ||
    ts.isNewExpression(node) ||
    ts.isObjectLiteralExpression(node) ||
    ts.isArrayLiteralExpression(node) ||
    ts.isTypeOfExpression(node) ||
    ts.isPrefixUnaryExpression(node) ||
    ts.isFunctionLike(node) ||
    ts.isClassExpression(node)
  );
}

/** The value of a key in an object literal; null when it is not given there. */
export function valueOfKey(object: ts.ObjectLiteralExpression, key: string): ts.Expression | FunctionNode | null {
  for (const property of object.properties.toReversed()) {
    if (!property.name || propertyText(property.name) !== key) continue;
    if (ts.isPropertyAssignment(property)) return property.initializer;
    if (ts.isShorthandPropertyAssignment(property)) return property.name;
    if (isFunction(property)) return property;
  }
  return null;
}

/** What is spread into an object literal. */
export function spreadsOf(object: ts.ObjectLiteralExpression): ts.Expression[] {
  return object.properties.flatMap((property) => (ts.isSpreadAssignment(property) ? [property.expression] : []));
}

/** What a generator hands out, one after the other. */
export function yieldsOf({ body }: FunctionNode): ts.Expression[] {
  return within(body, ts.isYieldExpression).flatMap(({ expression }) => (expression ? [expression] : []));
}

/** The expressions that a function returns; null for a `return` without one. */
export function returnsOf({ body }: FunctionNode): (ts.Expression | null)[] {
  if (!ts.isBlock(body)) return [body];
  return within(body, ts.isReturnStatement).map(({ expression }) => expression ?? null);
}

/** Whether a function can come to its end without a `return` or a `throw`. */
export function fallsThrough({ body }: FunctionNode): boolean {
  return ts.isBlock(body) && canEnd(body);
}

function canEnd(statement: ts.Statement | undefined): boolean {
  if (!statement) return true;
  if (ts.isReturnStatement(statement) || ts.isThrowStatement(statement)) return false;
  if (ts.isBlock(statement)) return canEnd(statement.statements.at(-1));
  if (ts.isIfStatement(statement)) return canEnd(statement.thenStatement) || canEnd(statement.elseStatement);
  if (ts.isTryStatement(statement)) {
    if (statement.finallyBlock && !canEnd(statement.finallyBlock)) return false;
    return canEnd(statement.tryBlock) || (statement.catchClause !== undefined && canEnd(statement.catchClause.block));
  }
  if (ts.isSwitchStatement(statement)) {
    const { clauses } = statement.caseBlock;
    const hasDefault = clauses.some(ts.isDefaultClause);
    return !hasDefault || canEnd(clauses.at(-1)?.statements.at(-1));
  }
  return !isEndlessLoop(statement);
}

function isEndlessLoop(statement: ts.Statement): boolean {
  const condition = ts.isWhileStatement(statement) || ts.isDoStatement(statement) ? statement.expression : null;
  const isTrue =
    condition?.kind === ts.SyntaxKind.TrueKeyword || (condition !== null && ts.isNumericLiteral(condition));
  const isFor = ts.isForStatement(statement) && !statement.condition;
  return (isTrue || isFor) && within(statement, ts.isBreakStatement).length === 0;
}
