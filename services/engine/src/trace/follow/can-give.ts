import { withoutHooks } from "../code/calls.ts";
import type { Codebase } from "../code/codebase.ts";
import { definitionsOf } from "../code/definitions.ts";
import { isLiteral, plain } from "../code/expressions.ts";
import { returnsOf } from "../code/functions.ts";
import { type CodeNode, is, part } from "../code/ir.ts";
import { anyKey, type Program } from "../code/program.ts";
import { canBe, type Wanted } from "./wanted.ts";

/** Maximum number of expressions checked for one; with more, the rest may produce anything. */
const expressionsMax = 40;

/**
 * Returns whether an expression may produce the failing value at a path. It may not if everything that it produces
 * there is a literal that the error says the value wasn't.
 */
export function canGive(
  codebase: Codebase,
  program: Program,
  expression: CodeNode,
  path: readonly string[],
  wanted: Wanted,
): boolean {
  let left = expressionsMax;
  const can = (where: Program, value: CodeNode | null, rest: readonly string[]): boolean => {
    if (value === null || left-- <= 0) return true;
    const node = plain(value);
    if (isLiteral(node)) return rest.length > 0 || canBe(node, wanted);
    if (node.kind === "choice")
      return can(where, part(node, "then"), rest) || can(where, part(node, "otherwise"), rest);
    if (node.kind === "object" && !node.children.some(({ kind }) => kind === "spread")) {
      const [key, ...inner] = rest;
      const entry = node.children.findLast(({ name }) => key !== undefined && name === key);
      if (entry) return can(where, part(entry, "value"), inner);
      // What was of a type was there.
      return wanted.type === null || key === undefined || key === anyKey || hasComputedKeys(node);
    }
    const callee = node.kind === "call" && !is(node, "new") ? part(node, "callee") : null;
    const functions = callee
      ? withoutHooks(codebase, definitionsOf(codebase, where, callee)).filter((one) => one.node.kind === "function")
      : [];
    const returned = functions.flatMap((one) =>
      is(one.node, "generator") ? [null] : returnsOf(one.program, one.node).map((given) => ({ ...one, given })),
    );
    return returned.length === 0 || returned.some((one) => one === null || can(one.program, one.given, rest));
  };
  return can(program, expression, path);
}

function hasComputedKeys(object: CodeNode): boolean {
  return object.children.some(({ kind, name }) => kind === "entry" && name === null);
}
