import type { LocatedFrame } from "../../findings/located-frame.ts";
import type { Codebase } from "../code/codebase.ts";
import { type CodeNode, part } from "../code/ir.ts";
import { nodeOnLine } from "../frames/stack-calls.ts";

/** What may run again, or run when something in it has failed. */
const around: ReadonlySet<CodeNode["kind"]> = new Set(["loop", "try"]);

/**
 * Returns where the bodies of the functions on the stack were left, as positions in their texts, in UTF-16 units: what
 * comes after that line didn't run, unless it is in a loop around it.
 */
export function runUntil(codebase: Codebase, frames: readonly LocatedFrame[]): ReadonlyMap<CodeNode, number> {
  const until = new Map<CodeNode, number>();
  for (const { place } of frames) {
    const program = place && codebase.of(place.source);
    if (!place || !program) continue;
    let end = place.source.lines(place.line, place.line).end;
    let isStatement = true;
    let at: CodeNode | null = nodeOnLine(program, place);
    for (; at !== null && at.kind !== "function"; at = at.parent) {
      if (isStatement || around.has(at.kind)) end = Math.max(end, at.end);
      if (at.parent?.kind === "block") isStatement = false;
    }
    // What is passed to a call may be called again and again.
    const body = at && at.role !== "argument" ? part(at, "body") : null;
    if (body) until.set(body, Math.max(end, until.get(body) ?? 0));
  }
  return until;
}
