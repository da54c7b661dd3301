import { saidBy } from "../../words/thrown.ts";
import { isLiteral, textOf } from "../code/expressions.ts";
import { around, type CodeNode, functionNodesMax, walk } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import type { Failure } from "../failure.ts";
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
export function findOverflows({ codebase, chain }: Failure, trail: Trail): void {
  if (!chain.some(({ exception }) => negative.test(saidBy(exception)))) return;
  const frames = chain.flatMap((one) => one.frames);
  const isTied = tiesToTrail(trail);
  let left = examinedMax;
  for (const { program, node } of ownNodesOnTrail(codebase, frames, trail)) {
    if (node.kind !== "binary" || node.name !== "*" || !isWidened(node)) continue;
    if (left-- <= 0) return;
    const isInt = (one: CodeNode): boolean => one.kind !== "sequence" && writtenType(codebase, program, one) === "int";
    const factors = factorsOf(node);
    if (!factors.every(isInt) || factors.every((one) => isConstant(program, one)) || !isTied(program, node)) continue;
    if (isGuarded(node)) continue;
    const args = { code: textOf(node, program.source) };
    trail.add({ kind: "overflow", args }, placeAt(program, node), trail.first, 1);
  }
}

/** Returns whether a product becomes a `long` only after it was computed. */
function isWidened({ role, parent, owner }: CodeNode): boolean {
  if (role !== "value" || !parent) return false;
  return parent.kind === "declare" ? parent.type === "long" : parent.kind === "return" && owner?.type === "long";
}

/** Returns whether a factor is the same in each run, so that the product was right when it was written. */
function isConstant({ fieldWrites }: Program, factor: CodeNode): boolean {
  const [only, ...others] = factor.name === null ? [] : (fieldWrites.get(factor.name) ?? []);
  return isLiteral(factor) || (others.length === 0 && only?.value != null && isLiteral(only.value));
}

/** Returns whether the function around a product knows the largest number: `if (width > Integer.MAX_VALUE / height)`. */
function isGuarded(product: CodeNode): boolean {
  const owner = around(product, "function");
  return owner !== null && [...walk(owner, functionNodesMax)].some(({ name }) => name === "MAX_VALUE");
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
