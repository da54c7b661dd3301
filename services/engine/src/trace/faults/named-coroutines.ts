import type { LocatedFrame } from "../../findings/located-frame.ts";
import type { ParsedError } from "../../findings/parsed-error.ts";
import { calleesOf } from "../code/calls.ts";
import type { Codebase } from "../code/codebase.ts";
import type { CodeNode } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { givesPromise } from "../code/promises.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { Failure } from "../failure.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { copiedValues } from "../frames/copied-values.ts";

/** How much of the input is searched for the remark, from its end: it is printed late. */
const searchedUnitsMax = 100_000;

/**
 * Notes the only call that can have created the coroutine that, according to the runtime, was never awaited, or that the
 * client found where the failing code reads.
 */
export function findNamedCoroutines({ codebase, error, frames }: Failure, trail: Trail): void {
  const own = codebase.own();
  for (const dialect of new Set(own.map((program) => program.dialect))) {
    for (const name of new Set([...namesSaid(dialect, error), ...namesCopied(dialect, frames, trail)])) {
      const calls = own.flatMap((program) => unawaitedCalls(program, name).map((call) => ({ program, call })));
      const known = calls.filter(({ program, call }) => isOfAsync(codebase, program, call));
      const [only, ...others] = known.length > 0 ? known : calls;
      if (only && others.length === 0)
        trail.add(
          { kind: "unawaited-value", args: { callee: name, read: null } },
          placeAt(only.program, only.call),
          null,
        );
    }
  }
}

function namesSaid({ neverAwaited }: Dialect, error: ParsedError): string[] {
  return error.sources.flatMap(({ text }) => lastNameIn(neverAwaited, text.slice(-searchedUnitsMax)));
}

/** Returns the names of coroutines in the fields that failed because they had one. */
function namesCopied(
  { copiedCoroutine, promiseInMessage }: Dialect,
  frames: readonly LocatedFrame[],
  trail: Trail,
): string[] {
  const failed = trail
    .signals()
    .flatMap((one) => (one.kind === "bad-value" && promiseInMessage?.test(one.args.was) ? (one.args.path ?? []) : []));
  return frames
    .flatMap(({ frame }) => copiedValues(frame.variables))
    .flatMap(({ name, value }) =>
      failed.includes(name) && typeof value === "string" ? lastNameIn(copiedCoroutine, value) : [],
    );
}

function lastNameIn(pattern: RegExp | null, text: string): string[] {
  return pattern?.exec(text)?.[1]?.split(".").slice(-1) ?? [];
}

/** Names of classes: other calls that take a coroutine may await it. */
const constructing = /^_?[A-Z]/;

/** Returns the calls of a name that nothing awaits, in the languages that have a remark about these. */
function unawaitedCalls({ calls, dialect }: Program, name: string): CodeNode[] {
  if (dialect.neverAwaited === null) return [];
  return (calls.get(name) ?? []).filter(
    ({ parent, role }) => parent?.kind !== "await" && (role !== "argument" || constructing.test(parent?.name ?? "")),
  );
}

function isOfAsync(codebase: Codebase, program: Program, call: CodeNode): boolean {
  return calleesOf(codebase, program, call).some((callee) => givesPromise(callee.program, callee.node));
}
