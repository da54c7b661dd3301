import type { Location } from "@whence/protocol";
import type { Observation } from "../findings.ts";
import { ofKind, type Seen } from "../report/of-kind.ts";
import { isOfCode } from "./telling-changes.ts";

/** The only place that a release changed. Nothing of the failure leads there but the release itself. */
export interface OnlyChange {
  readonly told: { readonly kind: "only" };
  /** Without a line where several places of the file changed. */
  readonly place: Location;
  readonly observation: Seen<"change">;
}

/** What the releases changed that changed a single file, with every changed line read. */
export function onlyChanges(observations: readonly Observation[]): OnlyChange[] {
  const changes = ofKind(observations, "change").filter(({ fact: { change } }) => isOfCode(change.path, change.hunk));
  return ofKind(observations, "comparison").flatMap(({ fact: { comparison } }) => {
    if (!comparison.isWhole || comparison.files !== 1) return [];
    const own = changes.filter(
      ({ fact: { change } }) => change.service === comparison.service && change.release === comparison.release,
    );
    const [first] = own;
    if (!first) return [];
    const { path, hunk } = first.fact.change;
    const line = own.length === 1 ? Math.max(1, hunk.to) : null;
    return [{ told: { kind: "only" }, place: { file: path, line, function: null }, observation: first }];
  });
}
