import ts from "typescript";
import { type Operator, replace, type Variant } from "./operator.ts";

/** A repeated class of characters. */
const repeats = /(?:\[[^\]]+\]|\\[wdsS])\+/g;
/** What must be between the repeats of a group that begins with it. */
const separators = /\((?:\?:)?(?:\\[.\-/+s]|[-/,:_ ])(?=\[|\\w|\\d)/g;

/** Mistakes in regular expressions that show only on long texts: two of their parts match the same characters. */
export const patterns: readonly Operator[] = [{ name: "ambiguous-pattern", variants: ambiguous }];

function ambiguous(node: ts.Node, source: ts.SourceFile): Variant[] {
  if (!ts.isRegularExpressionLiteral(node)) return [];
  const { text } = node;
  const repeated = [...text.matchAll(repeats)].map(({ 0: part, index }) => ({ part, index, text: `(?:${part})+` }));
  const optional = [...text.matchAll(separators)].map(({ 0: part, index }) => ({ part, index, text: `${part}?` }));
  return [...repeated, ...optional].map((one) =>
    replace(node, source, text.slice(0, one.index) + one.text + text.slice(one.index + one.part.length)),
  );
}
