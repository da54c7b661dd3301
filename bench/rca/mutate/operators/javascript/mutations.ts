import ts from "typescript";
import type { Ran } from "../../coverage.ts";
import type { Mutation } from "../../mutation.ts";
import { isCalledService } from "../called-service.ts";
import type { FunctionIndex, NamedFunction } from "../functions.ts";
import { calls } from "./calls.ts";
import { controlFlow } from "./control-flow.ts";
import { data } from "./data.ts";
import { names } from "./names.ts";
import { operations } from "./operations.ts";
import type { Operator } from "./operator.ts";
import { patterns } from "./patterns.ts";
import { sharedValues } from "./shared-values.ts";
import { answers, settings } from "./surroundings.ts";

const inCode: readonly Operator[] = [
  ...controlFlow,
  ...calls,
  ...data,
  ...names,
  ...sharedValues,
  ...patterns,
  ...operations,
];

/** Returns every mutation of the code that ran in a file of JavaScript, TypeScript, or JSON. */
export function javascriptMutations(name: string, text: string, ran: Ran): Mutation[] {
  const operators = name.endsWith(".json") ? settings : isCalledService(name) ? [...answers, ...controlFlow] : inCode;
  const source = parse(name, text);
  const found: Mutation[] = [];
  const visit = (node: ts.Node): void => {
    const start = node.getStart(source);
    if (ran(start, lineOf(source, start)))
      for (const operator of operators)
        for (const edits of operator.variants(node, source)) found.push({ operator: operator.name, edits });
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return found;
}

/** Finds the named functions in a file. A constructor has the name of its class, as in a stack. */
export function indexFunctions(name: string, text: string): FunctionIndex {
  const source = parse(name, text);
  const found: (NamedFunction & { start: number; end: number })[] = [];
  const visit = (node: ts.Node): void => {
    const called = ts.isFunctionLike(node) ? nameOf(node, source) : "";
    const start = node.getStart(source);
    const end = node.getEnd();
    if (called !== "")
      found.push({ name: called, start, end, lineStart: lineOf(source, start), lineEnd: lineOf(source, end) });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return {
    atOffset: (offset) => found.findLast(({ start, end }) => start <= offset && offset < end),
    atLine: (line) => found.findLast(({ lineStart, lineEnd }) => lineStart <= line && line <= lineEnd),
  };
}

function nameOf(node: ts.SignatureDeclaration, source: ts.SourceFile): string {
  if (ts.isConstructorDeclaration(node)) return node.parent.name?.text ?? "constructor";
  if (node.name !== undefined) return node.name.getText(source).replace(/^#/, "");
  const holder = ts.isParenthesizedExpression(node.parent) ? node.parent.parent : node.parent;
  if (ts.isVariableDeclaration(holder) && ts.isIdentifier(holder.name)) return holder.name.text;
  if (ts.isPropertyAssignment(holder) || ts.isPropertyDeclaration(holder))
    return holder.name.getText(source).replace(/^['"#]|['"]$/g, "");
  if (!ts.isBinaryExpression(holder) || holder.right !== node) return "";
  const { left } = holder;
  if (ts.isPropertyAccessExpression(left)) return left.name.text === "exports" ? "" : left.name.text;
  return ts.isIdentifier(left) ? left.text : "";
}

function lineOf(source: ts.SourceFile, offset: number): number {
  return source.getLineAndCharacterOfPosition(offset).line + 1;
}

function parse(name: string, text: string): ts.SourceFile {
  const kind = name.endsWith(".json") ? ts.ScriptKind.JSON : name.endsWith("ts") ? ts.ScriptKind.TS : ts.ScriptKind.JS;
  return ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, kind);
}
