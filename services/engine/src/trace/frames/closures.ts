import type { ParsedFrame } from "../../findings/parsed-error.ts";
import { lastName } from "../../source/anchor.ts";
import { ownName } from "../code/functions.ts";
import { type CodeNode, isWithin } from "../code/ir.ts";

/** What runtimes print for a function without a name: Go, Java, Ruby, Python. */
const closure = /\.func\d+(?:\.\d+)*$|(?:^|[.#])lambda\$|^block (?:\(\d+ levels\) )?in |<lambda>$/;

/** Returns whether a frame is that of a function without a name, as its runtime prints it. */
function isClosure({ function: printed }: ParsedFrame): boolean {
  return printed !== null && closure.test(printed);
}

/** Returns the name of the function that a frame is of, as it is printed; null where it has none. */
export function printedName(frame: ParsedFrame): string | null {
  return isClosure(frame) ? null : (lastName(frame.function)?.split("#").at(-1) ?? null);
}

/** Returns whether a frame within the lines of a function may be of it, rather than of one around it. */
export function mayBeOf(frame: ParsedFrame, node: CodeNode): boolean {
  const printed = printedName(frame);
  return printed === null || ownName(node) !== null || !isNamedAround(node, printed);
}

function isNamedAround(node: CodeNode, name: string): boolean {
  for (let at = node.owner; at !== null; at = at.owner) if (ownName(at) === name) return true;
  return false;
}

/**
 * Leaves out what a frame didn't run of the nodes on its line: what is in a function without a name when it is that of
 * the function around, and what is around when it is that of the function without a name.
 */
export function ranIn(frame: ParsedFrame, nodes: readonly CodeNode[]): CodeNode[] {
  const closures = nodes.filter((node) => node.kind === "function" && ownName(node) === null);
  if (closures.length === 0) return [...nodes];
  const isInside = (node: CodeNode): boolean => closures.some((one) => node !== one && isWithin(node, one));
  if (isClosure(frame)) {
    const inside = nodes.filter(isInside);
    return inside.length > 0 ? inside : [...nodes];
  }
  const name = printedName(frame);
  if (name === null || frame.column !== null) return [...nodes];
  const others = closures.filter((one) => isNamedAround(one, name));
  return nodes.filter((node) => !others.some((one) => node !== one && isWithin(node, one)));
}
