import type { CodeSignalArgs } from "../../signals/signal.ts";
import { textOf } from "../code/expressions.ts";
import type { Failure } from "../failure.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { functionsOnTrail } from "./functions-on-trail.ts";
import { type Change, firstChange } from "./shared-changes.ts";
import { type Shared, sharedIn } from "./shared-values.ts";

const sharedMax = 6;
/** Maximum defaults and constants that are followed. */
const candidatesMax = 80;

/**
 * Notes defaults, constants, and kept results that code changes for later uses, where the function that hands them out
 * or the one that changes them is related to the failure.
 */
export function findSharedDefaults({ codebase, frames }: Failure, trail: Trail): void {
  const isOnTrail = functionsOnTrail(trail, frames);
  let found = 0;
  let followed = 0;
  for (const program of codebase.own()) {
    for (const shared of sharedIn(codebase, program)) {
      if (found >= sharedMax || followed++ >= candidatesMax) return;
      const changed = firstChange(codebase, shared);
      if (!changed || ![changed.handedAt, changed.change].some(({ program, node }) => isOnTrail(program, node)))
        continue;
      const { change, handedAt } = changed;
      const how = howShared(shared, changed);
      const args = { name: shared.name, change: textOf(change.node, change.program.source), how };
      const at = how === "argument" || how === "result-argument" ? change : handedAt;
      trail.add({ kind: "shared-default", args }, placeAt(at.program, at.node), null);
      found++;
    }
  }
}

function howShared({ binding, keptBy }: Shared, changed: Change): CodeSignalArgs["shared-default"]["how"] {
  if (binding?.kind === "parameter") return "default";
  if (changed.isOfCopy) return "copy";
  if (changed.isOfArgument) return keptBy ? "result-argument" : "argument";
  return keptBy ? "result" : "constant";
}
