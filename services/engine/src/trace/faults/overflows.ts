import type { LocatedException } from "../../findings/located-frame.ts";
import type { Codebase } from "../code/codebase.ts";
import { textOf } from "../code/expressions.ts";
import type { CodeNode } from "../code/ir.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { ownNodesOnTrail } from "./own-nodes.ts";
import { tiesToTrail } from "./ties-to-trail.ts";
import { writtenType } from "./written-types.ts";

/** How many products of one error are examined, and how many factors one has. */
const examinedMax = 200;
const factorsMax = 12;
/** What an error says of a number that went beyond its type. */
const negative = /negative|(?<![\w.-])-\d/i;

/** Notes products of numbers of 32 bits that are used as longer ones, if the error shows a negative number. */
export function findOverflows(codebase: Codebase, chain: readonly LocatedException[], trail: Trail): void {
  if (!chain.some(({ exception: { type, message } }) => negative.test(`${type}: ${message}`))) return;
  const frames = chain.flatMap((one) => one.frames);
  const isTied = tiesToTrail(trail);
  let left = examinedMax;
  for (const { program, node } of ownNodesOnTrail(codebase, frames, trail)) {
    if (node.kind !== "binary" || node.name !== "*" || !isWidened(node)) continue;
    if (left-- <= 0) return;
    const isInt = (one: CodeNode): boolean => one.kind !== "sequence" && writtenType(codebase, program, one) === "int";
    if (!factorsOf(node).every(isInt) || !isTied(program, node)) continue;
    const args = { code: textOf(node, program.source) };
    trail.add({ kind: "overflow", args }, placeAt(program, node), trail.first, 1);
  }
}

/** Returns whether a product becomes a `long` only after it was computed. */
function isWidened({ role, parent, owner }: CodeNode): boolean {
  if (role !== "value" || !parent) return false;
  return parent.kind === "declare" ? parent.type === "long" : parent.kind === "return" && owner?.type === "long";
}

/** Returns what is multiplied or added; a cast is a `sequence`. */
function factorsOf(product: CodeNode): CodeNode[] {
  const found: CodeNode[] = [];
  const pending = [product];
  for (let node = pending.pop(); node !== undefined && found.length < factorsMax; node = pending.pop()) {
    if (node.kind === "binary" && /^[*+-]$/.test(node.name ?? "")) pending.push(...node.children);
    else found.push(node);
  }
  return found;
}
