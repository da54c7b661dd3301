import type { Check } from "../look.ts";
import { heartbeatOf, isAnyProcessAlive, quoteBeat } from "./stays-down.ts";

/** Processes that are looked up, of those that stopped together. */
const processesAsked = 20;

/** Upheld by one heartbeat of one of the processes; refuted when none arrived by the due time while others sent theirs. */
export const heartbeatAgain: Check<"heard-again"> = async (watch, look) => {
  const asked = watch.instances.slice(0, processesAsked);
  for (const instance of asked) {
    const beat = await heartbeatOf(watch, look, instance);
    if (!beat) continue;
    const reason = `process ${instance} sent a heartbeat again at ${beat.event.timestamp}, so it hadn't ended`;
    return { outcome: "upheld", reason, counts: { asked: asked.length, heard: 1 }, excerpt: quoteBeat(beat) };
  }
  const counts = { asked: asked.length, heard: 0 };
  if (!look.isDue) return { outcome: "open", reason: "none of them has sent a heartbeat yet", counts };
  if (!(await isAnyProcessAlive(watch, look)))
    return {
      outcome: "open",
      reason: "no process at all has sent telemetry since, so the network may still be down",
      counts,
    };
  return {
    outcome: "refuted",
    reason: "none of them has sent a heartbeat while other processes have, so they are gone",
    counts,
  };
};
