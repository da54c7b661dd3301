import type { LocatedFrame } from "../../findings/located-frame.ts";
import type { ParsedException } from "../../findings/parsed-error.ts";
import { isOverflow } from "../../words/overflow.ts";
import { calleesOf } from "../code/calls.ts";
import type { Codebase } from "../code/codebase.ts";
import { nameAround } from "../code/functions.ts";
import { around, type CodeNode, nodeAt, walkOwn } from "../code/ir.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { findOwnEvents } from "./own-events.ts";

const framesMax = 60;
const functionsMax = 8;

/** Finds the functions of the cycle when the stack is full, and where each calls the next. */
export function findRecursion(
  codebase: Codebase,
  exception: ParsedException,
  frames: readonly LocatedFrame[],
  trail: Trail,
): void {
  if (!isOverflow(exception)) return;
  const counts = new Map<CodeNode, { program: Parameters<typeof placeAt>[0]; count: number }>();
  for (const { place } of frames.slice(0, framesMax)) {
    const program = place && codebase.of(place.source);
    if (!program || !place) continue;
    const { start, end } = place.source.lines(place.line, place.line);
    const indent = /^\s*/.exec(place.source.text.slice(start, end))?.[0].length ?? 0;
    const owner = around(nodeAt(program.tree, start + indent), "function");
    if (owner) counts.set(owner, { program, count: (counts.get(owner)?.count ?? 0) + 1 });
  }
  const cycle = [...counts].map(([node, { program }]) => ({ program, node }));
  findOwnEvents(codebase, cycle, frames, trail);
  const repeated = [...counts].filter(([, { count }]) => count > 1);
  for (const [owner, { program }] of (repeated.length > 0 ? repeated : [...counts]).slice(0, functionsMax)) {
    const call = callInto(codebase, program, owner, new Set(counts.keys()));
    const name = nameAround(owner) ?? "";
    const through = call && call.callee !== owner ? nameAround(call.callee) : null;
    const args = { function: name, ...(through !== null && through !== name && { through }) };
    trail.add({ kind: "recursion", args }, placeAt(program, call?.node ?? owner), null);
  }
}

/** Returns the call of a function that leads into the cycle, and what it calls: itself, if it does that too. */
function callInto(
  codebase: Codebase,
  program: Parameters<typeof placeAt>[0],
  owner: CodeNode,
  cycle: ReadonlySet<CodeNode>,
): { readonly node: CodeNode; readonly callee: CodeNode } | null {
  let found: { readonly node: CodeNode; readonly callee: CodeNode } | null = null;
  for (const node of walkOwn(owner)) {
    if (node.kind !== "call") continue;
    const callees = calleesOf(codebase, program, node).flatMap((one) => (cycle.has(one.node) ? [one.node] : []));
    if (callees.includes(owner)) return { node, callee: owner };
    const [callee] = callees;
    if (callee) found ??= { node, callee };
  }
  return found;
}
