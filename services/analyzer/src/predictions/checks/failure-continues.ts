import { amount, expectedFailures, isTelling, sumOf, tooLittle } from "../expected.ts";
import { type Check, exampleWhere, spreadBefore, spreadSince, timesText } from "../look.ts";

/** Upheld by the first event of the failure in this release; refuted when none occurs although several were expected. */
export const failureContinues: Check<"failure-continues"> = async (watch, look) => {
  const ofRelease = ({ value }: { value: string }): boolean => value === watch.release;
  const { failing, heartbeats } = sumOf((await spreadSince(watch, look, "release")).filter(ofRelease));
  const counts = { failures: failing, heartbeats };
  if (failing > 0) {
    const excerpt = await exampleWhere(watch, look, ({ release }) => release === watch.release);
    return {
      outcome: "upheld",
      reason: `it occurred again, ${timesText(failing)} in the same release`,
      counts,
      excerpt,
    };
  }
  if (!look.isDue) return { outcome: "open", reason: "it hasn't occurred again yet", counts };
  const before = sumOf((await spreadBefore(watch, look, "release")).filter(ofRelease));
  const expected = expectedFailures(before, heartbeats);
  if (expected === null || !isTelling(expected)) return { outcome: "open", reason: tooLittle(expected), counts };
  const reason = `it didn't occur again in the same release, where about ${amount(expected)} more were expected`;
  return { outcome: "refuted", reason, counts };
};
