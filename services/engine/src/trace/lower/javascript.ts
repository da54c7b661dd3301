import ts from "typescript";
import { z } from "zod";
import type { CodeNode } from "../code/ir.ts";
import { declaration } from "./javascript/declarations.ts";
import { expression } from "./javascript/expressions.ts";
import { statement } from "./javascript/statements.ts";
import { type Described, unwrap } from "./javascript/syntax.ts";
import { lower, type Syntax } from "./lower.ts";

/** Four times as deep as handwritten code. */
const depthMax = 400;

/**
 * Lowers JavaScript and TypeScript with TypeScript's parser, which also returns a tree for broken files and for pieces
 * of files. Null for code nested too deeply to be handwritten.
 */
export function lowerJavaScript(name: string, text: string): CodeNode | null {
  try {
    const options = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
    const tree = ts.createSourceFile(name, text, options, false, kindOf(name));
    return lower<ts.Node>(tree, syntaxOf(tree));
  } catch (error) {
    // The parser recurses as deep as the text is nested.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Returns whether a text is well-formed JavaScript or TypeScript, whichever its name says. */
export function parsesAsJavaScript(name: string, text: string): boolean {
  try {
    const tree = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, false, kindOf(name));
    return parsedSchema.parse(tree).parseDiagnostics.length === 0;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** What the parser finds wrong, which its types leave out. */
const parsedSchema = z.object({ parseDiagnostics: z.array(z.unknown()) });

function kindOf(name: string): ts.ScriptKind {
  if (/\.[cm]?ts$/.test(name)) return ts.ScriptKind.TS;
  return name.endsWith(".tsx") ? ts.ScriptKind.TSX : ts.ScriptKind.JSX;
}

function syntaxOf(tree: ts.SourceFile): Syntax<ts.Node> {
  const start = (node: ts.Node): number => unwrap(node).getStart(tree);
  return {
    describe: (node) => describe(unwrap(node), tree),
    start,
    end: (node) => unwrap(node).end,
    depthMax,
  };
}

function describe(node: ts.Node, tree: ts.SourceFile): Described {
  if (ts.isExpression(node)) return expression(node, tree);
  if (ts.isStatement(node) || ts.isVariableDeclarationList(node)) return statement(node, tree);
  return declaration(node, tree);
}
