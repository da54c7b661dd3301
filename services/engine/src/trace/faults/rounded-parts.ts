import type { AnyCodeSignal } from "../../signals/signal.ts";
import { argumentsOf, isLiteral, plain, receiverOf, rootOf, textOf, wordsOf } from "../code/expressions.ts";
import { around, type CodeNode, functionNodesMax, isWithin, part, walk } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { resolve } from "../code/scopes.ts";
import type { Failure } from "../failure.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { ownCalls } from "./own-nodes.ts";
import { tiesToTrail } from "./ties-to-trail.ts";

/** What an error says when parts don't make up a whole. */
const unequal =
  /balanc|\bsums?\b|\btotals?\b|add(?:s|ed)? up|\bdiffer|100 ?%|percent|allocat|\bsplit|\bshares?\b|reconcil|mismatch|doesn't (?:match|equal)|strictly equal|off by/i;
const rounding = ["round", "floor", "ceil", "trunc", "int", "toFixed", "quantize"];
const mapping: ReadonlySet<string> = new Set(["map", "flatMap", "forEach"]);
/** Names of what makes up for the difference. */
const correcting = /remain|^(?:rest|left)$|left_?over|residu|correct|adjust|carry|largest/i;

/**
 * Notes where each part of a whole is rounded on its own, if the error is about a sum that depends on the parts: it
 * says so, or the code threw because two values differ.
 */
export function findRoundedParts({ codebase, said }: Failure, trail: Trail): void {
  if (!unequal.test(said) && !trail.signals().some(isOfUnequal)) return;
  const isTied = tiesToTrail(trail);
  for (const { program, node } of ownCalls(codebase, rounding)) {
    const whole = wholeIn(program, node);
    if (!whole || !isTied(program, node)) continue;
    const args = { code: textOf(node, program.source), whole: textOf(whole, program.source) };
    trail.add({ kind: "rounded-parts", args }, placeAt(program, node), null);
  }
}

/** Returns whether code threw because two values aren't equal. */
function isOfUnequal(signal: AnyCodeSignal): boolean {
  return signal.kind === "deliberate-throw" && /!==?/.test(signal.args.condition ?? "");
}

/** Returns the whole that is multiplied or divided, where that is done and rounded for each part. */
function wholeIn(program: Program, call: CodeNode): CodeNode | null {
  const each = repeatedAround(call);
  if (!each || isCorrected(each)) return null;
  const rounded = call.name === "toFixed" || call.name === "quantize" ? receiverOf(call) : argumentsOf(call)[0]?.value;
  const share = rounded && plain(rounded);
  if (share?.kind !== "binary" || !/^[*/]$/.test(share.name ?? "")) return null;
  const [left, right] = [part(share, "left"), part(share, "right")];
  if (!left || !right || isLiteral(left) || isLiteral(right)) return null;
  const whole = [left, right].find((one) => isFromOutside(program, one, each)) ?? null;
  return whole && leavesRest(program, each, whole) ? null : whole;
}

/** Returns the function that is called for each element, the comprehension, or the loop around a node. */
function repeatedAround(node: CodeNode): CodeNode | null {
  for (let at: CodeNode | null = node; at !== null; at = at.parent) {
    const isCallback = at.kind === "function" && at.role === "argument";
    if (isCallback && at.parent?.kind === "call" && mapping.has(at.parent.name ?? "")) return at;
    if (at.kind === "function") return null;
    const isComprehension =
      (at.kind === "list" || at.kind === "other") && at.children.some(({ kind }) => kind === "loop");
    if (isComprehension || (at.kind === "loop" && part(at, "over"))) return at;
  }
  return null;
}

/** Returns whether a name is declared around what is repeated, so it is the same for each part. */
function isFromOutside(program: Program, node: CodeNode, each: CodeNode): boolean {
  const root = rootOf(node);
  const binding = root.kind === "name" && root.name !== null ? resolve(program, root.name, root) : null;
  return binding !== null && !isWithin(binding.node, each);
}

/** Returns whether the function around it computes what is left of the whole, not only to check it: `total - used`. */
function leavesRest({ source }: Program, each: CodeNode, whole: CodeNode): boolean {
  const owner = around(each.parent, "function") ?? each;
  const text = textOf(whole, source);
  return [...walk(owner, functionNodesMax)].some((node) => {
    const isDivided = node.kind === "call" && /^div_?mod$/.test(node.name ?? "");
    const isLeft = node.kind === "binary" && /^[-%]$/.test(node.name ?? "");
    const of = isDivided ? (argumentsOf(node)[0]?.value ?? receiverOf(node)) : isLeft ? part(node, "left") : null;
    return of !== null && textOf(of, source) === text && !isInCheck(node);
  });
}

function isInCheck(node: CodeNode): boolean {
  let at = node;
  while (at.parent && at.role !== "condition" && at.parent.kind !== "block") at = at.parent;
  return at.role === "condition" && at.parent?.kind === "if";
}

/** Returns whether the function around it makes up for what rounding loses. */
function isCorrected(each: CodeNode): boolean {
  const owner = around(each.parent, "function");
  for (const word of wordsOf(walk(owner ?? each, functionNodesMax))) if (correcting.test(word)) return true;
  return false;
}
