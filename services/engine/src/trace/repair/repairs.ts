import type { Remedy, RemedyName, RemedyOf } from "../../signals/code/remedy.ts";
import { type AnyCodeSignal, remedyOf } from "../../signals/signal.ts";
import type { Codebase } from "../codebase.ts";
import { awaitCall } from "./await-call.ts";
import type { Broken, Repair, Repairing } from "./repair.ts";

const repairings: { readonly [Name in RemedyName]: Repairing<RemedyOf<Name>> } = {
  await: awaitCall,
};

/** Returns the repair that the kind of a signal knows, where the code is given whole and is the user's own. */
export function repairOf(codebase: Codebase, signal: AnyCodeSignal): Repair | null {
  const remedy = remedyOf(signal);
  const program = remedy && codebase.of(signal.subject.source);
  if (!remedy || !program || program.isPart || program.isInstalled) return null;
  return repaired(remedy, { codebase, program, signal });
}

function repaired<Name extends RemedyName>(remedy: RemedyOf<Name> & Remedy, broken: Broken): Repair | null {
  const repairing: Repairing<RemedyOf<Name>> = repairings[remedy.by as Name];
  return repairing(remedy, broken);
}
