import type { RecordedCall } from "@whence/storage";
import { amount, expectedFailures, isTelling, sumOf, tooLittle } from "../expected.ts";
import { type Check, exampleWhere, iso, type Look, spreadBefore, spreadIn, type WatchOf } from "../look.ts";
import { isAnswered, isTo } from "./calls.ts";

/** How long old connections and retries may still fail after the first call that succeeds. */
const settlingMs = 300_000;
/** This many failures after that are more than stragglers. */
const failuresMin = 2;
const eventsRead = 100;

/** Once calls to the host succeed again: upheld when the failure ends within minutes, refuted when it continues. */
export const stopsWithRecovery: Check<"stops-with-recovery"> = async (watch, look) => {
  const calls = await callsTo(watch, look);
  const lastFailed = Math.max(look.from, ...calls.filter((call) => !isAnswered(call)).map(({ at }) => Date.parse(at)));
  const succeeded = calls.filter((call) => isAnswered(call) && Date.parse(call.at) > lastFailed);
  const counted = { calls: calls.length, successful_since_last_failure: succeeded.length };
  const recoveredAt = Math.min(...succeeded.map(({ at }) => Date.parse(at)));
  if (!Number.isFinite(recoveredAt)) {
    const reason = `no call to ${watch.upstream} is known to have succeeded since`;
    return { outcome: "open", reason, counts: counted };
  }
  const settledAt = recoveredAt + settlingMs;
  if (look.to <= settledAt)
    return {
      outcome: "open",
      reason: `calls to ${watch.upstream} have succeeded since ${iso(recoveredAt)}`,
      counts: counted,
    };
  const after = sumOf(await spreadIn(watch, look, "release", settledAt, look.to));
  const counts = { ...counted, failures_after_recovery: after.failing };
  if (after.failing >= failuresMin) {
    const excerpt = await exampleWhere(watch, look, ({ at }) => Date.parse(at) >= settledAt);
    const reason = `it continues although calls to ${watch.upstream} have succeeded since ${iso(recoveredAt)}`;
    return { outcome: "refuted", reason, counts, excerpt };
  }
  const expected = expectedFailures(sumOf(await spreadBefore(watch, look, "release")), after.heartbeats);
  if (after.failing > 0 || expected === null || !isTelling(expected))
    return { outcome: "open", reason: tooLittle(expected), counts };
  const reason = `it stopped once calls to ${watch.upstream} succeeded at ${iso(recoveredAt)}, where about ${amount(expected)} more were expected`;
  return { outcome: "upheld", reason, counts };
};

/** The calls to the host that the service's events record. A call is recorded in many events and counts once. */
async function callsTo(watch: WatchOf<"stops-with-recovery">, { events, from, to }: Look): Promise<RecordedCall[]> {
  const { service, env, upstream } = watch;
  const found = await events.circumstances({ service, env, from: iso(from), to: iso(to), limit: eventsRead });
  const calls = found.flatMap((event) => event.calls.filter(isTo(upstream)));
  const distinct = new Map(calls.map((call) => [`${call.at} ${call.url}`, call]));
  return [...distinct.values()].filter(({ at }) => Date.parse(at) >= from);
}
