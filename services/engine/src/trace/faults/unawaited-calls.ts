import { saidBy } from "../../words/thrown.ts";
import { findUnawaited } from "../code/promises.ts";
import type { Failure } from "../failure.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { failedAfter } from "./unawaited-before.ts";

/** Notes calls whose promise nothing awaits. One whose work may not have been done at the failure is the nearest. */
export function findUnawaitedCalls({ codebase, event, chain }: Failure, trail: Trail): void {
  const steps = event?.mechanism.type === "unhandledRejection" ? 0 : 1;
  for (const program of codebase.own()) {
    for (const { node, callee, how } of findUnawaited(codebase, program)) {
      const [before] = chain.flatMap(
        ({ exception, frames }) => failedAfter(codebase, saidBy(exception), frames, program, node) ?? [],
      );
      const args = before === undefined ? { callee, how } : { callee, how, before };
      trail.add({ kind: "missing-await", args }, placeAt(program, node), null, before === undefined ? steps : 0);
    }
  }
}
