import ts from "typescript";
import { data } from "./data.ts";
import { type Operator, removeProperty, replace } from "./operator.ts";

/** Changed fields of an answer, for the files of a service that others call. */
export const answers: readonly Operator[] = data
  .filter(({ name }) => name === "wrong-key" || name === "drop-key" || name === "wrong-type")
  .map(({ variants }) => ({
    name: "answer-field",
    variants: (node, source) =>
      ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node) ? variants(node, source) : [],
  }));

/** Settings that are missing or have another type, for JSON configuration files. */
export const settings: readonly Operator[] = [
  {
    name: "missing-setting",
    variants: (node, source) => {
      if (!ts.isPropertyAssignment(node)) return [];
      return [removeProperty(node, source)];
    },
  },
  {
    name: "wrong-setting",
    variants: (node, source) => {
      if (!ts.isPropertyAssignment(node)) return [];
      return [ofAnotherType(node.initializer), "null"].map((text) => replace(node.initializer, source, text));
    },
  },
];

function ofAnotherType(value: ts.Expression): string {
  if (ts.isNumericLiteral(value)) return `"${value.text}"`;
  return ts.isArrayLiteralExpression(value) ? "{}" : '""';
}
