import { climbRules, climbs } from "@whence/engine";
import type { InstanceVitals, MemoryVitals } from "@whence/storage";
import { type Check, iso } from "../look.ts";

const processesRead = 100;
/** Heartbeats of one process: fewer only show how it starts. */
const beatsMin = 15;
const bytesPerMiB = 1_048_576;

/** Upheld when the memory of a process climbs steadily; refuted when processes ran long enough and none of them climbs. */
export const memoryClimbs: Check<"memory-climbs"> = async (watch, look) => {
  const { service, env } = watch;
  const span = { env, from: iso(look.from), to: iso(look.to) };
  const vitals = await look.events.vitals({ ...span, services: [service], limit: processesRead });
  const measured = measuredIn(vitals, beatsMin);
  const climbing = measured.filter((memory) => climbs(memory, climbRules.prediction));
  const counts = { processes: measured.length, climbing: climbing.length };
  const [first] = climbing;
  if (first)
    return { outcome: "upheld", reason: "the memory of its processes is climbing", counts, excerpt: memoryText(first) };
  if (!look.isDue) return { outcome: "open", reason: "no process shows it yet", counts };
  if (measured.length === 0) {
    const reason = `too little traffic to tell: no process sent ${beatsMin} heartbeats`;
    return { outcome: "open", reason, counts };
  }
  return { outcome: "refuted", reason: `the memory of ${countOf(measured.length)} isn't climbing`, counts };
};

function countOf(processes: number): string {
  return processes === 1 ? "1 process" : `${processes} processes`;
}

/** The memory of a process, and its heartbeats. */
export interface Measured extends MemoryVitals, Pick<InstanceVitals, "instance" | "lastAt"> {}

/** Returns the memory of the processes that reported it often enough. */
export function measuredIn(vitals: readonly InstanceVitals[], beatsNeeded: number): Measured[] {
  return vitals.flatMap(({ instance, lastAt, memory }) =>
    memory !== null && memory.beats >= beatsNeeded ? [{ ...memory, instance, lastAt }] : [],
  );
}

function memoryText({ instance, since, lastAt, firstBytes, lastBytes, beats }: Measured): string {
  const mib = (bytes: number): string => `${(bytes / bytesPerMiB).toFixed(1)} MiB`;
  return `process ${instance}: ${mib(firstBytes)} at ${since}, ${mib(lastBytes)} at ${lastAt}, ${beats} heartbeats`;
}
