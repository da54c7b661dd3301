import type { LocatedFrame } from "../../findings/located-frame.ts";
import type { Codebase } from "../code/codebase.ts";
import { textOf } from "../code/expressions.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { functionsOnTrail } from "./functions-on-trail.ts";
import { firstChange } from "./shared-changes.ts";
import { sharedIn } from "./shared-values.ts";

const sharedMax = 6;
/** Maximum defaults and constants that are followed. */
const candidatesMax = 40;

/** Notes defaults and constants that code modifies, where a function related to the failure hands them out. */
export function findSharedDefaults(codebase: Codebase, frames: readonly LocatedFrame[], trail: Trail): void {
  const isOnTrail = functionsOnTrail(trail, frames);
  let found = 0;
  let followed = 0;
  for (const program of codebase.own()) {
    for (const shared of sharedIn(codebase, program)) {
      if (found >= sharedMax || followed++ >= candidatesMax) return;
      const { binding } = shared;
      const changed = firstChange(codebase, shared);
      if (!changed || !isOnTrail(changed.handedAt.program, changed.handedAt.node)) continue;
      const { change, handedAt } = changed;
      const how = binding.kind === "parameter" ? "default" : changed.isOfCopy ? "copy" : "constant";
      const args = { name: binding.name, change: textOf(change.node, change.program.source), how } as const;
      trail.add({ kind: "shared-default", args }, placeAt(handedAt.program, handedAt.node), null);
      found++;
    }
  }
}
