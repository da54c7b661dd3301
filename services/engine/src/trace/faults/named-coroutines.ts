import type { ParsedError } from "../../findings/parsed-error.ts";
import { calleesOf } from "../code/calls.ts";
import type { Codebase } from "../code/codebase.ts";
import type { CodeNode } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { givesPromise } from "../code/promises.ts";
import { placeAt, type Trail } from "../follow/trail.ts";

/** How much of the input is searched for the remark, from its end: it is printed late. */
const searchedUnitsMax = 100_000;

/** Notes the only call that can have created the coroutine that, according to the runtime, was never awaited. */
export function findNamedCoroutines(codebase: Codebase, error: ParsedError, trail: Trail): void {
  const said = error.sources.map(({ text }) => text.slice(-searchedUnitsMax));
  const own = codebase.all().filter(({ isInstalled }) => !isInstalled);
  for (const remark of new Set(own.flatMap(({ dialect }) => dialect.neverAwaited ?? []))) {
    const names = new Set(said.flatMap((text) => remark.exec(text)?.[1]?.split(".").at(-1) ?? []));
    for (const name of names) {
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

/** Returns the calls of a name that nothing awaits, in the languages that have a remark about these. */
function unawaitedCalls({ calls, dialect }: Program, name: string): CodeNode[] {
  if (dialect.neverAwaited === null) return [];
  return (calls.get(name) ?? []).filter(({ parent, role }) => parent?.kind !== "await" && role !== "argument");
}

function isOfAsync(codebase: Codebase, program: Program, call: CodeNode): boolean {
  return calleesOf(codebase, program, call).some((callee) => givesPromise(callee.program, callee.node));
}
