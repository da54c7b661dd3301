import { amount, expectedFailures, isTelling, sumOf, tooLittle } from "../expected.ts";
import { type Check, exampleWhere, spreadBefore, spreadIn, spreadSince } from "../look.ts";

/** A release counts as gone when none of its processes has sent telemetry for this long. */
const goneMs = 1_800_000;

/**
 * Upheld when other releases took over and don't fail; refuted when the failure occurs in an earlier one. A newer one that
 * fails too means nothing: it may lack the fix.
 */
export const stopsWithRelease: Check<"stops-with-release"> = async (watch, look) => {
  const [before, since, lately] = await Promise.all([
    spreadBefore(watch, look, "release"),
    spreadSince(watch, look, "release"),
    spreadIn(watch, look, "release", look.to - goneMs, look.to),
  ]);
  const isOther = ({ value }: { value: string }): boolean => value !== watch.release;
  const olderNames = new Set(before.filter((row) => isOther(row) && row.heartbeats > 0).map(({ value }) => value));
  const older = sumOf(since.filter(({ value }) => olderNames.has(value)));
  const others = sumOf(since.filter(isOther));
  const suspected = sumOf([...before, ...since].filter((row) => !isOther(row)));
  const counts = { failures_in_other_releases: others.failing, heartbeats_of_other_releases: others.heartbeats };
  if (older.failing > 0) {
    const excerpt = await exampleWhere(watch, look, ({ release }) => olderNames.has(release));
    return {
      outcome: "refuted",
      reason: "it occurs in an older release as well, so rolling back won't stop it",
      counts,
      excerpt,
    };
  }
  if (others.failing > 0)
    return { outcome: "open", reason: "a newer release fails too, but may not contain the fix", counts };
  if (lately.some((row) => !isOther(row) && row.heartbeats > 0) || !lately.some(isOther))
    return { outcome: "open", reason: "no other release has taken over yet", counts };
  const expected = expectedFailures(suspected, others.heartbeats);
  if (expected === null || !isTelling(expected)) return { outcome: "open", reason: tooLittle(expected), counts };
  const reason = `another release took over and had no failures, where about ${amount(expected)} were expected`;
  return { outcome: "upheld", reason, counts };
};
