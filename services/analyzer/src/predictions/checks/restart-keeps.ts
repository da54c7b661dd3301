import { amount, expectedFailures, isTelling, sumOf, tooLittle } from "../expected.ts";
import { type Check, exampleWhere, spreadBefore, spreadSince } from "../look.ts";
import { startedSince } from "./lives.ts";

/** Upheld when a process started since fails; refuted when such processes ran long enough without failing. */
export const restartKeeps: Check<"restart-keeps"> = async (watch, look) => {
  const started = (await startedSince(watch, look)).filter(({ release }) => release === watch.release);
  const names = new Set(started.map(({ instance }) => instance));
  const ofStarted = sumOf((await spreadSince(watch, look, "instance")).filter(({ value }) => names.has(value)));
  const counts = { started: started.length, failures: ofStarted.failing, heartbeats: ofStarted.heartbeats };
  if (ofStarted.failing > 0) {
    const excerpt = await exampleWhere(watch, look, ({ instance }) => names.has(instance));
    return { outcome: "upheld", reason: "processes started since fail as well", counts, excerpt };
  }
  if (started.length === 0) return { outcome: "open", reason: "no process of this release has started since", counts };
  if (!look.isDue) return { outcome: "open", reason: "the processes started since haven't failed yet", counts };
  const before = (await spreadBefore(watch, look, "release")).filter(({ value }) => value === watch.release);
  const expected = expectedFailures(sumOf(before), ofStarted.heartbeats);
  if (expected === null || !isTelling(expected)) return { outcome: "open", reason: tooLittle(expected), counts };
  const reason = `${started.length === 1 ? "1 process" : `${started.length} processes`} started since had no failures, where about ${amount(expected)} were expected`;
  return { outcome: "refuted", reason, counts };
};
