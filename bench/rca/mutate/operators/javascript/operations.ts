import ts from "typescript";
import { calledName, functionAround, type Operator, replace, type Variant } from "./operator.ts";

const factors: ReadonlySet<number> = new Set([
  60, 100, 1000, 1024, 3600, 60_000, 86_400, 1_048_576, 3_600_000, 86_400_000,
]);
const bound = /max|limit|size|capacity|timeout|ttl|quota|parallel|connections|per(Hour|Minute|Day)|seconds$|kb$/i;
const leastBound = 2;
const boundsKept = 10;
const locking = /exclusive|lock|mutex|turn|serial|atATime/i;
const dated = /expir|until|\bexp\b|renew|stale|deadline|\bage|\bnow\b/i;
const secret = /token|credential|secret|session|api_?key|password/i;
const pauseMs = 20;

/** Mistakes of running systems that show under load, after some time, or in another part of the program. */
export const operations: readonly Operator[] = [
  { name: "other-unit", variants: withoutFactor },
  { name: "drop-lock", variants: withoutLock },
  { name: "wait-between", variants: waitAfterCheck },
  { name: "tight-bound", variants: tightened },
  { name: "kept-credential", variants: keptForever },
];

function numberOf(node: ts.Node): number {
  return ts.isNumericLiteral(node) ? Number(node.text) : Number.NaN;
}

function withoutFactor(node: ts.Node, source: ts.SourceFile): Variant[] {
  if (!ts.isBinaryExpression(node)) return [];
  const { kind } = node.operatorToken;
  if (kind !== ts.SyntaxKind.AsteriskToken && kind !== ts.SyntaxKind.SlashToken) return [];
  return factors.has(numberOf(node.right)) ? [replace(node, source, node.left.getText(source))] : [];
}

function withoutLock(node: ts.Node, source: ts.SourceFile): Variant[] {
  if (!ts.isCallExpression(node) || !locking.test(calledName(node))) return [];
  const work = node.arguments.at(-1);
  if (!work || (!ts.isArrowFunction(work) && !ts.isFunctionExpression(work))) return [];
  return [
    [
      { start: node.getStart(source), end: work.getStart(source), text: "(" },
      { start: work.getEnd(), end: node.getEnd(), text: ")()" },
    ],
  ];
}

function waitAfterCheck(node: ts.Node, source: ts.SourceFile): Variant[] {
  if (!ts.isIfStatement(node) || !ts.isBlock(node.parent) || node.elseStatement) return [];
  const around = functionAround(node);
  const isAsync = around?.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ?? false;
  if (!isAsync || !/\b(return|throw)\b/.test(node.thenStatement.getText(source))) return [];
  const at = node.getEnd();
  return [[{ start: at, end: at, text: ` await new Promise((next) => setTimeout(next, ${pauseMs}));` }]];
}

function tightened(node: ts.Node, source: ts.SourceFile): Variant[] {
  const isNamed = ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node);
  if (!isNamed || !node.initializer || !bound.test(node.name.getText(source))) return [];
  const value = numberOf(node.initializer);
  if (Number.isNaN(value) || value < leastBound) return [];
  return [replace(node.initializer, source, String(Math.max(1, Math.round(value / boundsKept))))];
}

function keptForever(node: ts.Node, source: ts.SourceFile): Variant[] {
  if (!ts.isBinaryExpression(node) || !secret.test(source.text)) return [];
  const { kind } = node.operatorToken;
  if (kind !== ts.SyntaxKind.BarBarToken && kind !== ts.SyntaxKind.AmpersandAmpersandToken) return [];
  const isDated = dated.test(node.right.getText(source));
  return isDated && ts.isIfStatement(node.parent) ? [replace(node, source, node.left.getText(source))] : [];
}
