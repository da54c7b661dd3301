import { amount, expectedFailures, isTelling, sumOf, tooLittle } from "../expected.ts";
import { type Check, exampleWhere, spreadBefore, spreadSince, timesText } from "../look.ts";

/** Refuted by one event on another host; upheld when other hosts ran long enough without any. */
export const onlyOnHost: Check<"only-on-host"> = async (watch, look) => {
  const [before, since] = await Promise.all([spreadBefore(watch, look, "host"), spreadSince(watch, look, "host")]);
  const isOther = ({ value }: { value: string }): boolean => value !== watch.host;
  const others = sumOf(since.filter(isOther));
  const suspected = sumOf([...before, ...since].filter((row) => !isOther(row)));
  const counts = { elsewhere: others.failing, heartbeats_elsewhere: others.heartbeats };
  if (others.failing > 0) {
    const excerpt = await exampleWhere(watch, look, ({ host }) => host !== watch.host);
    return { outcome: "refuted", reason: `it occurred ${timesText(others.failing)} on other hosts`, counts, excerpt };
  }
  if (!look.isDue) return { outcome: "open", reason: "it hasn't occurred on another host yet", counts };
  if (others.heartbeats === 0)
    return { outcome: "open", reason: "the service runs on no other host to compare with", counts };
  const expected = expectedFailures(suspected, others.heartbeats);
  if (expected === null || !isTelling(expected)) return { outcome: "open", reason: tooLittle(expected), counts };
  const reason = `other hosts had no failures, where about ${amount(expected)} were expected if they were affected`;
  return { outcome: "upheld", reason, counts };
};
