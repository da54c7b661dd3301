import { amount, expectedFailures, isTelling, sumOf, tooLittle } from "../expected.ts";
import { type Check, exampleWhere, spreadBefore, spreadSince, timesText } from "../look.ts";

/** Upheld by the first event of the failure in this release; refuted when none comes where several were to be expected. */
export const failureContinues: Check<"failure-continues"> = async (watch, look) => {
  const ofRelease = ({ value }: { value: string }): boolean => value === watch.release;
  const { failing, heartbeats } = sumOf((await spreadSince(watch, look, "release")).filter(ofRelease));
  const counts = { failures: failing, heartbeats };
  if (failing > 0) {
    const excerpt = await exampleWhere(watch, look, ({ release }) => release === watch.release);
    return { outcome: "upheld", reason: `it came again, ${timesText(failing)} in the same release`, counts, excerpt };
  }
  if (!look.isDue) return { outcome: "open", reason: "it has not come again yet", counts };
  const before = sumOf((await spreadBefore(watch, look, "release")).filter(ofRelease));
  const expected = expectedFailures(before, heartbeats);
  if (expected === null || !isTelling(expected)) return { outcome: "open", reason: tooLittle(expected), counts };
  const reason = `it did not come again in the same release, where about ${amount(expected)} more were to be expected`;
  return { outcome: "refuted", reason, counts };
};
