import { isLiteral, isNothing, plain } from "../code/expressions.ts";
import { type CodeNode, is } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { resolve, writesReaching } from "../code/scopes.ts";

/** Returns whether an expression is what its code just made, or a variable that holds only that: never nothing. */
export function isMade(program: Program, node: CodeNode): boolean {
  const at = plain(node);
  if (at.kind !== "name") return isCreated(at);
  const binding = at.name === null ? null : resolve(program, at.name, at);
  const writes = binding?.kind === "variable" ? writesReaching(binding, at) : [];
  return (
    writes.length > 0 && writes.every(({ value, path }) => path.length === 0 && value !== null && isCreated(value))
  );
}

function isCreated(node: CodeNode): boolean {
  const at = plain(node);
  const isConstant = isLiteral(at) && !isNothing(at);
  return (
    isConstant || ["object", "list", "template", "function"].includes(at.kind) || (at.kind === "call" && is(at, "new"))
  );
}
