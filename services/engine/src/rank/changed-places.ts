import { isSameFile } from "../changes/same-file.ts";
import type { TellingChange } from "../changes/telling-changes.ts";
import type { DecisivePlace } from "./decisive-signals.ts";
import type { FileView } from "./file-view.ts";

/**
 * What it says for a file of the failing service that its new release changed it, 0 to 1: where the failure passes, in a
 * function that it passes, or what the code misses. Set by judgement, as the weights of telemetry are. The second column
 * is for a release that a comparison makes suspect, the first for one that the failure began soon after.
 */
const weights = {
  line: { near: 0.45, suspect: 0.6 },
  function: { near: 0.15, suspect: 0.3 },
  /** A key or a function that the code misses was removed or renamed there; its value is made differently. */
  gone: { near: 0.55, suspect: 0.7 },
  remade: { near: 0.3, suspect: 0.45 },
} as const;

/** Adds the places that the service's own new release changed. Where a place explains the failure anyway, the greater weight counts. */
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

function weightOf({ told, deploy: { verdict } }: TellingChange): number {
  const column = verdict === "suspect" ? "suspect" : "near";
  if (told.kind === "line" || told.kind === "function") return weights[told.kind][column];
  if (told.kind !== "name") return 0;
  return weights[told.change === "changed" ? "remade" : "gone"][column];
}
