import { amount, expectedFailures, isTelling, sumOf, tooLittle } from "../expected.ts";
import { type Check, exampleWhere, spreadBefore, spreadSince } from "../look.ts";

/** Refuted by one event in an earlier release; upheld when earlier releases ran long enough without any. */
export const onlyInRelease: Check<"only-in-release"> = async (watch, look) => {
  const [before, since] = await Promise.all([
    spreadBefore(watch, look, "release"),
    spreadSince(watch, look, "release"),
  ]);
  const olderNames = new Set(
    before.filter(({ value, heartbeats }) => value !== watch.release && heartbeats > 0).map(({ value }) => value),
  );
  const older = sumOf(since.filter(({ value }) => olderNames.has(value)));
  const suspected = sumOf([...before, ...since].filter(({ value }) => value === watch.release));
  const counts = { failures_in_older_releases: older.failing, heartbeats_of_older_releases: older.heartbeats };
  if (older.failing > 0) {
    const excerpt = await exampleWhere(watch, look, ({ release }) => olderNames.has(release));
    return { outcome: "refuted", reason: "an earlier release fails in the same way", counts, excerpt };
  }
  if (!look.isDue) return { outcome: "open", reason: "no older release has failed yet", counts };
  if (older.heartbeats === 0) return { outcome: "open", reason: "no older release ran to compare with", counts };
  const expected = expectedFailures(suspected, older.heartbeats);
  if (expected === null || !isTelling(expected)) return { outcome: "open", reason: tooLittle(expected), counts };
  const reason = `older releases had no failures, where about ${amount(expected)} were expected if they were affected`;
  return { outcome: "upheld", reason, counts };
};
