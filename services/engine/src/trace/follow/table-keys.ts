import type { Codebase } from "../code/codebase.ts";
import { definitionsOf } from "../code/definitions.ts";
import { isNothing } from "../code/expressions.ts";
import { type CodeNode, part } from "../code/ir.ts";
import type { Program } from "../code/program.ts";

/**
 * Returns the keys that a table has a value under, in every object that it may be. A key of them isn't one that was
 * missing. Empty if not all keys of the table are written in the code.
 */
export function keysOfTable(codebase: Codebase, program: Program, table: CodeNode): string[] {
  const [first = [], ...others] = definitionsOf(codebase, program, table).map(({ node }) => keysIn(node));
  return first.filter((key) => others.every((keys) => keys.includes(key)));
}

function keysIn({ kind, children }: CodeNode): string[] {
  if (kind !== "object") return [];
  return children.flatMap((one) => {
    const value = one.kind === "entry" ? part(one, "value") : null;
    return one.name !== null && value && !isNothing(value) ? [one.name] : [];
  });
}
