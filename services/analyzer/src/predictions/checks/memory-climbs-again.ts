import { climbRules } from "@whence/engine";
import { type Check, iso } from "../look.ts";
import { type Measured, measuredIn } from "./memory-climbs.ts";

const processesRead = 100;
/** Minimum share of the earlier slope. */
const steepEnough = 0.5;
/** Fewer heartbeats only show how a process starts; more aren't waited for. */
const beatsMin = 4;
const beatsMax = 15;
const secondsPerMinute = 60;
const bytesPerMiB = 1_048_576;

/** Upheld when the memory of a process climbs at least half as steeply; refuted when processes ran long enough and none of them does. */
export const memoryClimbsAgain: Check<"memory-climbs-again"> = async (watch, look) => {
  const { service, env } = watch;
  const span = { env, from: iso(look.from), to: iso(look.to) };
  const vitals = await look.events.vitals({ ...span, services: [service], limit: processesRead });
  const beatsNeeded = Math.min(beatsMax, Math.max(beatsMin, watch.beats));
  const measured = measuredIn(vitals, beatsNeeded);
  const climbing = measured.filter((one) => climbs(one, watch.bytes_per_minute));
  const counts = { processes: measured.length, climbing: climbing.length };
  const [first] = climbing;
  if (first)
    return { outcome: "upheld", reason: `the memory of process ${first.instance} ${climbText(first)}`, counts };
  if (!look.isDue) return { outcome: "open", reason: "no process shows it yet", counts };
  if (measured.length === 0) {
    const reason = `too little traffic to tell: no process sent ${beatsNeeded} heartbeats`;
    return { outcome: "open", reason, counts };
  }
  return {
    outcome: "refuted",
    reason: `the memory of ${measured.length === 1 ? "1 process" : `${measured.length} processes`} isn't climbing like that`,
    counts,
  };
};

function climbs({ slope, fit }: Measured, bytesPerMinute: number): boolean {
  return fit >= climbRules.prediction.fit && slope * secondsPerMinute >= steepEnough * bytesPerMinute;
}

function climbText({ slope, since, lastAt, beats }: Measured): string {
  const rate = ((slope * secondsPerMinute) / bytesPerMiB).toFixed(1);
  return `climbs by ${rate} MiB a minute, over ${beats} heartbeats from ${since} to ${lastAt}`;
}
