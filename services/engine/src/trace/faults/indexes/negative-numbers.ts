import { calleesOf } from "../../code/calls.ts";
import type { Codebase } from "../../code/codebase.ts";
import { isLiteral, plain, textOf } from "../../code/expressions.ts";
import { returnsOf } from "../../code/functions.ts";
import { type CodeNode, part } from "../../code/ir.ts";
import type { Program } from "../../code/program.ts";
import { resolve } from "../../code/scopes.ts";

/** How far a number is followed to what makes it. */
const depthMax = 4;
const writesMax = 12;
/** Calls that return a number of 32 bits with a sign, of any size. */
const signed: ReadonlySet<string> = new Set("hashCode imul identityHashCode compareTo".split(" "));

/** Returns whether a number may be below 0: a difference, or the bits of a hash, unless `added` is added to it. */
export function mayBeNegative(
  codebase: Codebase,
  program: Program,
  number: CodeNode,
  added: string,
  depth = depthMax,
): boolean {
  const node = plain(number);
  const is = (one: CodeNode | null): boolean => one !== null && mayBeNegative(codebase, program, one, added, depth - 1);
  if (depth === 0 || textOf(node, program.source).includes(added)) return false;
  switch (node.kind) {
    case "binary":
      return isNegativeBinary(node, is);
    case "unary":
      return node.name === "-" || node.name === "~";
    case "call":
      if (signed.has(node.name ?? "")) return true;
      return calleesOf(codebase, program, node).some((callee) =>
        returnsOf(callee.program, callee.node).some(
          (one) => one !== null && mayBeNegative(codebase, callee.program, one, added, depth - 1),
        ),
      );
    case "name":
      return (resolve(program, node.name ?? "", node)?.writes ?? []).slice(0, writesMax).some(({ value }) => is(value));
    default:
      return false;
  }
}

function isNegativeBinary(node: CodeNode, is: (one: CodeNode | null) => boolean): boolean {
  const [left, right] = [part(node, "left"), part(node, "right")];
  switch (node.name) {
    case "-":
      return left !== null && right !== null && !isLengthOrLiteral(left);
    case "^":
    case "<<":
      return true;
    case "|":
      // `x | 0` is a number of 32 bits with a sign.
      return is(left) || is(right) || (right !== null && isLiteral(right) && left !== null && !isLiteral(left));
    case "+":
    case "*":
      return is(left) || is(right);
    case "%":
      return is(left);
    default:
      return false;
  }
}

/** Returns whether a number is probably larger than what is subtracted from it. */
function isLengthOrLiteral(left: CodeNode): boolean {
  return isLiteral(left) || /^(?:length|size|len|count)$/.test(plain(left).name ?? "");
}
