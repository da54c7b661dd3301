import type { Location } from "@whence/protocol";
import type { Observation } from "../findings/observation.ts";
import { ofKind, type Seen } from "../findings/of-kind.ts";
import type { ChangeEffect } from "../signals/change-effect.ts";
import { isOfCode } from "./telling-changes.ts";

/** The few places that a release changed. Only the release links them to the failure. */
export interface OnlyChange {
  /** The other files, the most changed first. */
  readonly effect: ChangeEffect<"only">;
  /** In the file with the most added lines. Has no line when several places in the file changed. */
  readonly place: Location;
  /** The first change in that file. */
  readonly observation: Seen<"release-change">;
  /** The next ones, a few per file. */
  readonly more: readonly Seen<"release-change">[];
}

const shownPerFileMax = 3;

/** Returns the changes of releases that changed at most `filesMax` files, all of whose changed lines were read. */
export function onlyChanges(observations: readonly Observation[], filesMax = 1): OnlyChange[] {
  const changes = ofKind(observations, "release-change").filter(({ fact: { change } }) =>
    isOfCode(change.path, change.hunk),
  );
  return ofKind(observations, "comparison").flatMap(({ fact: { comparison } }) => {
    const { isWhole, files } = comparison;
    if (!isWhole || files === null || files > filesMax) return [];
    const own = changes.filter(
      ({ fact: { change } }) => change.service === comparison.service && change.release === comparison.release,
    );
    const byFile = [...Map.groupBy(own, ({ fact: { change } }) => change.path)];
    const [file, ...others] = byFile.toSorted(([, left], [, right]) => addedBy(right) - addedBy(left));
    const [first] = file?.[1] ?? [];
    if (!file || !first) return [];
    const [path, hunks] = file;
    const line = hunks.length === 1 ? Math.max(1, first.fact.change.hunk.to) : null;
    return [
      {
        effect: { kind: "only", others: others.map(([other]) => other) },
        place: { file: path, line, function: null },
        observation: first,
        more: [file, ...others].flatMap(([, changed]) => changed.slice(0, shownPerFileMax)).slice(1),
      },
    ];
  });
}

/** Added code can do something new; a hunk that only removes lines does less, and counts less. */
function addedBy(hunks: readonly Seen<"release-change">[]): number {
  return hunks.reduce((sum, { fact: { change } }) => sum + change.hunk.added.length, 0);
}
