import type { LocatedFrame } from "../../findings/located-frame.ts";
import type { RemedyName, RemedyOf } from "../../signals/code/remedy.ts";
import { type AnyCodeSignal, remediesOf } from "../../signals/signal.ts";
import type { Codebase } from "../code/codebase.ts";
import { awaitCall } from "./await-call.ts";
import { copyDefault } from "./copy-default.ts";
import { correctKey } from "./correct-key.ts";
import { exportName } from "./export-name.ts";
import { keepType } from "./keep-type.ts";
import { passArguments } from "./pass-arguments.ts";
import { releaseResource } from "./release-resource.ts";
import type { Broken, Repair, Repairing } from "./repair.ts";
import { restoreEntry } from "./restore-entry.ts";
import { restoreField } from "./restore-field.ts";
import { restoreGuard } from "./restore-guard.ts";
import { returnValue } from "./return-value.ts";

const repairings: { readonly [Name in RemedyName]: Repairing<RemedyOf<Name>> } = {
  await: awaitCall,
  export: exportName,
  return: returnValue,
  key: correctKey,
  field: restoreField,
  entry: restoreEntry,
  arguments: passArguments,
  guard: restoreGuard,
  release: releaseResource,
  default: copyDefault,
  type: keepType,
};

/** Returns the repairs for the kind of a signal, where the whole file was given and is the user's own. */
export function repairsOf(codebase: Codebase, frames: readonly LocatedFrame[], signal: AnyCodeSignal): Repair[] {
  const program = codebase.of(signal.subject.source);
  if (!program || program.isPart || program.isInstalled) return [];
  return remediesOf(signal).flatMap((remedy) => repaired(remedy, { codebase, program, signal, frames }) ?? []);
}

function repaired<Name extends RemedyName>(
  remedy: { readonly by: Name } & RemedyOf<Name>,
  broken: Broken,
): Repair | null {
  return repairings[remedy.by](remedy, broken);
}
