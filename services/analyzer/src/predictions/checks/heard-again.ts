import type { Check } from "../look.ts";
import { heartbeatOf, isAnybodyHeard, quoteBeat } from "./stays-silent.ts";

/** Of those that fell silent together, so many are asked about. */
const processesAsked = 20;

/** Upheld by one heartbeat of one of the processes; refuted when none came until it is due while others were heard. */
export const heardAgain: Check<"heard-again"> = async (watch, look) => {
  const asked = watch.instances.slice(0, processesAsked);
  for (const instance of asked) {
    const beat = await heartbeatOf(watch, look, instance);
    if (!beat) continue;
    const reason = `process ${instance} was heard again, at ${beat.event.timestamp}: it had not died`;
    return { outcome: "upheld", reason, counts: { asked: asked.length, heard: 1 }, excerpt: quoteBeat(beat) };
  }
  const counts = { asked: asked.length, heard: 0 };
  if (!look.isDue) return { outcome: "open", reason: "none of them was heard again so far", counts };
  if (!(await isAnybodyHeard(watch, look)))
    return { outcome: "open", reason: "nobody at all was heard since: the way may still be cut", counts };
  return { outcome: "refuted", reason: "none of them was heard again, while others are: they are gone", counts };
};
