import { saidBy } from "../../words/thrown.ts";
import { argumentsOf, textOf } from "../code/expressions.ts";
import { type CodeNode, functionNodesMax, part, walk } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import type { Failure } from "../failure.ts";
import { Tracer } from "../follow/tracer.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { anything } from "../follow/wanted.ts";
import { ownNodes } from "./own-nodes.ts";

/** With more limits than this, none of them stands out. */
const limitsMax = 3;

/** Errors that a timer makes: nothing of the program is on their stack. */
const passed =
  /^(?:(?:\w+\.)*(?:TimeoutError|TimeoutException|ReadTimeout|ConnectTimeout|Timeout)|AbortError|DOMException): .*(?:time|abort)/is;

/** Calls that set a limit, by their text, and the position of the limit. */
const positions: readonly (readonly [callee: RegExp, position: number])[] = [
  [/^AbortSignal\.timeout$/, 0],
  [/(?:^|\.)(?:asyncio|anyio|async_timeout)\.(?:timeout|fail_after|move_on_after)$/, 0],
  [/(?:^|\.)wait_for$/, 1],
];
const named = /^(?:timeout|timeout_?ms|time_limit|request_timeout)$/i;

/** Notes where the limit is set that has passed, and follows it, if the error has no calls that lead there. */
export function findTimeLimits({ codebase, chain }: Failure, trail: Trail): void {
  const isStackless = chain.every(({ exception }) => exception.frames.every(({ origin }) => origin !== "app"));
  const hasPassed = chain.some(({ exception }) => passed.test(saidBy(exception)));
  if (!isStackless || !hasPassed) return;
  const found = [...ownNodes(codebase)].flatMap(({ program, node }) => {
    const limit = node.kind === "call" ? limitIn(program, node) : null;
    return limit ? [{ program, node, limit }] : [];
  });
  if (found.length > limitsMax) return;
  for (const { program, node, limit } of found) {
    const args = { code: textOf(node, program.source), limit: textOf(limit, program.source) };
    const from = trail.add({ kind: "time-limit", args }, placeAt(program, node), null);
    const value = { program, node: limit, wanted: anything, path: [], frame: null, via: null, awaits: [], from };
    new Tracer(codebase, [], trail).run(value);
  }
}

function limitIn(program: Program, call: CodeNode): CodeNode | null {
  const callee = part(call, "callee");
  const text = callee ? textOf(callee, program.source) : "";
  const given = argumentsOf(call);
  const [, position] = positions.find(([pattern]) => pattern.test(text)) ?? [];
  const byPosition = position === undefined ? undefined : given[position]?.value;
  const byName = given.find(({ name }) => name !== null && named.test(name))?.value;
  if (byPosition ?? byName) return byPosition ?? byName ?? null;
  return text === "setTimeout" && given[0] && aborts(given[0].value) ? (given[1]?.value ?? null) : null;
}

/** `() => controller.abort()`, and a function that rejects. */
function aborts(callback: CodeNode): boolean {
  for (const { kind, name } of walk(callback, functionNodesMax))
    if (kind === "call" && (name === "abort" || name === "reject")) return true;
  return false;
}
