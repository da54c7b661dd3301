import { isSameFile } from "../changes/same-file.ts";
import type { TellingChange } from "../changes/telling-changes.ts";
import { weightOfEffect } from "../signals/change-effect.ts";
import type { DecisivePlace } from "./decisive-signals.ts";
import type { FileView } from "./file-view.ts";

/**
 * Adds the places that the service's own new release changed. Where a place explains the failure anyway, the larger
 * weight counts.
 */
export function withChangedPlaces(
  decisive: ReadonlyMap<string, DecisivePlace>,
  changes: readonly TellingChange[],
  files: readonly FileView[],
): ReadonlyMap<string, DecisivePlace> {
  const all = new Map(decisive);
  for (const change of changes) {
    const view = change.deploy.own ? files.find(({ name }) => isSameFile(name, change.place.file)) : undefined;
    const weight = weightOf(change);
    if (!view || weight <= (all.get(view.name)?.weight ?? 0)) continue;
    const { line, function: name } = change.place;
    all.set(view.name, {
      weight,
      subject: { kind: "place", file: view.name, line, function: name, source: view.source },
    });
  }
  return all;
}

function weightOf({ effect, deploy: { verdict } }: TellingChange): number {
  return weightOfEffect(effect)?.[verdict === "suspect" ? "suspect" : "near"] ?? 0;
}
