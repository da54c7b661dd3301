import { dayMs, type Location } from "@whence/protocol";
import type { Findings } from "../findings/findings.ts";
import type { Observation } from "../findings/observation.ts";
import { ofKind } from "../findings/of-kind.ts";
import { isSameFile } from "./same-file.ts";

/** A line changed earlier than this ran without failing for long enough to rule the change out. */
export const lastChangeMaxMs = 7 * dayMs;

/**
 * Returns the commit that last changed the line of the root cause, within a week before the first failure. Null when a
 * change between releases that bears on the failure is known, which is better evidence.
 */
export function lastChangeOf(
  location: Location,
  { lastChanges = [], changes = [], observations, observedAt }: Findings,
): Observation | null {
  const { line } = location;
  if (line === null || changes.some(({ deploy }) => deploy.own)) return null;
  const [totals] = ofKind(observations, "totals");
  const failedAt = Date.parse(totals?.fact.impact.first_seen ?? observedAt);
  const found = ofKind(lastChanges, "last-change").find(({ fact: { lastChange: one } }) => {
    const ageMs = failedAt - Date.parse(one.commit.at);
    const isRecent = ageMs >= 0 && ageMs <= lastChangeMaxMs;
    return isRecent && line >= one.from && line <= one.to && isSameFile(location.file, one.path);
  });
  return found ?? null;
}
