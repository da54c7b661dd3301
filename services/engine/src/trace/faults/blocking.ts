import type { CodePlace, LocatedFrame } from "../../findings/located-frame.ts";
import { lastName } from "../../source/anchor.ts";
import type { Codebase } from "../code/codebase.ts";
import { textOf } from "../code/expressions.ts";
import { around, type CodeNode, nodesBetween } from "../code/ir.ts";
import { patternsOf } from "../code/patterns.ts";
import { type Program, parametersOf } from "../code/program.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { nodeOnLine } from "../frames/stack-calls.ts";
import { backtrackingIn } from "./backtracking.ts";
import { endlessAround } from "./endless-loops.ts";

/** Maximum frames that are read, from the innermost on: one of them makes the blocking call. */
const framesMax = 12;
const nodesMax = 200;
const patternsMax = 3;

/** Notes what blocked a thread, from the stack sampled meanwhile: the innermost frame that shows it. */
export function findBlocking(codebase: Codebase, frames: readonly LocatedFrame[], trail: Trail): void {
  const read = frames.flatMap(({ place }, index) => {
    const program = place && codebase.of(place.source);
    return place && program ? [{ place, program, inner: frames[index - 1] }] : [];
  });
  for (const { place, program, inner } of read.slice(0, framesMax)) {
    const calls = runningOf(codebase, program, callsAt(program, place), inner);
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

/**
 * Returns the calls that can be running while the next frame is the inner one: those of its name, or all of them where
 * the innermost call isn't shown, or where its place is taken by a handler that raised the error.
 */
function runningOf(
  codebase: Codebase,
  program: Program,
  calls: readonly CodeNode[],
  inner: LocatedFrame | undefined,
): readonly CodeNode[] {
  if (!inner) return calls;
  const name = lastName(inner.frame.function);
  const named = calls.filter((call) => call.name === name);
  if (named.length > 0) return named;
  if (isHandler(codebase, program, inner)) return calls;
  // The runtime's own functions have other names inside: `gzipSync` is `zlibBufferSync`.
  return inner.frame.origin === "runtime" ? calls.filter(isWait) : [];
}

/** Returns whether a frame is a function that the runtime called between two lines of the program. */
function isHandler(codebase: Codebase, { dialect }: Program, { frame, place }: LocatedFrame): boolean {
  const { handler } = dialect;
  if (!handler) return false;
  const program = place && codebase.of(place.source);
  const node = program && around(nodeOnLine(program, place), "function");
  const names = [lastName(frame.function), ...(node ? parametersOf(node).map((one) => one.name) : [])];
  return names.some((name) => name !== null && handler.test(name));
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

function noteLoop(program: Program, place: CodePlace, trail: Trail): boolean {
  const loop = endlessAround(program, nodeOnLine(program, place));
  if (!loop) return false;
  const { node, names } = loop;
  trail.add({ kind: "endless-loop", args: { names: [...names] } }, placeAt(program, node), null);
  return true;
}

/** Calls of Node.js and its libraries that wait for their result, by how they are named. */
const waits = /[a-z\d]Sync$/;
const isWait = ({ name }: CodeNode): boolean => waits.test(name ?? "");
const converting = /^JSON\.(?:parse|stringify)$/;

function noteCall(program: Program, calls: readonly CodeNode[], trail: Trail): boolean {
  if (program.dialect.waiting !== "promises") return false;
  for (const call of calls) {
    const [callee] = call.children;
    const called = callee ? textOf(callee, program.source) : "";
    if (!callee || (!isWait(call) && !converting.test(called)) || !around(call, "function")) continue;
    const how = isWait(call) ? "synchronous" : "conversion";
    trail.add({ kind: "blocking-call", args: { call: called, how } }, placeAt(program, call), null);
    return true;
  }
  return false;
}
