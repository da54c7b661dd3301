import type { CodePlace, LocatedFrame } from "../findings/located-frame.ts";
import { backtrackingIn } from "./backtracking.ts";
import type { Codebase } from "./codebase.ts";
import { endlessAround } from "./endless-loops.ts";
import { textOf } from "./expressions.ts";
import { around, type CodeNode, nodeAt, nodesBetween } from "./ir.ts";
import { patternsOf } from "./patterns.ts";
import type { Program } from "./program.ts";
import { placeAt, type Trail } from "./trail.ts";

/** Frames that are read, from the innermost on: what blocks is called by one of them. */
const framesMax = 12;
const nodesMax = 200;
const patternsMax = 3;

/** Notes what keeps a thread busy, by the stack that it had while it was: the innermost frame that shows it. */
export function findBlocking(codebase: Codebase, frames: readonly LocatedFrame[], trail: Trail): void {
  const read = frames.flatMap(({ place }) => {
    const program = place && codebase.of(place.source);
    return place && program ? [{ place, program }] : [];
  });
  for (const { place, program } of read.slice(0, framesMax)) {
    const calls = callsAt(program, place);
    if (notePatterns(codebase, program, calls, trail)) return;
    if (noteLoop(program, place, trail)) return;
    if (noteCall(program, calls, trail)) return;
  }
}

/** Returns the calls on a line, and those that go on there. */
function callsAt({ tree, source }: Program, { line }: CodePlace): CodeNode[] {
  const { start, end } = source.lines(line, line);
  const calls = nodesBetween(tree, start, end, nodesMax).filter(({ kind }) => kind === "call");
  const here = calls.filter(({ at, start: from }) => source.lineAt(at) === line || source.lineAt(from) === line);
  return here.length > 0 ? here : calls;
}

function notePatterns(codebase: Codebase, program: Program, calls: readonly CodeNode[], trail: Trail): boolean {
  const found = calls.flatMap((call) =>
    patternsOf(codebase, program, call).flatMap((pattern) => {
      const why = backtrackingIn(pattern.source, pattern.flags);
      return why ? [{ ...pattern, why }] : [];
    }),
  );
  const worst = found.filter(({ why }) => why.growth === "exponential");
  for (const { node, program: of, why } of (worst.length > 0 ? worst : found).slice(0, patternsMax)) {
    const args = { pattern: textOf(node, of.source), growth: why.growth, repeats: [...why.repeats] };
    trail.add({ kind: "backtracking-pattern", args }, placeAt(of, node), null);
  }
  return found.length > 0;
}

function noteLoop(program: Program, { source, line }: CodePlace, trail: Trail): boolean {
  const { start, end } = source.lines(line, line);
  const indent = /^\s*/.exec(source.text.slice(start, end))?.[0].length ?? 0;
  const loop = endlessAround(program, nodeAt(program.tree, start + indent));
  if (!loop) return false;
  const { node, names } = loop;
  trail.add({ kind: "endless-loop", args: { names: [...names] } }, placeAt(program, node), null);
  return true;
}

/** Calls of Node.js and its libraries that wait for their result, by how they are named. */
const waits = /[a-z\d]Sync$/;
const converting = /^JSON\.(?:parse|stringify)$/;

function noteCall(program: Program, calls: readonly CodeNode[], trail: Trail): boolean {
  if (program.dialect.waiting !== "promises") return false;
  for (const call of calls) {
    const [callee] = call.children;
    const called = callee ? textOf(callee, program.source) : "";
    const isWait = waits.test(call.name ?? "");
    if (!callee || (!isWait && !converting.test(called)) || !around(call, "function")) continue;
    const how = isWait ? "synchronous" : "conversion";
    trail.add({ kind: "blocking-call", args: { call: called, how } }, placeAt(program, call), null);
    return true;
  }
  return false;
}
