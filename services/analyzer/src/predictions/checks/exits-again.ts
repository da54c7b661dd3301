import { type Check, iso, type Look, type WatchOf } from "../look.ts";
import { type Life, startedSince } from "./lives.ts";

const fatalRead = 20;

/**
 * Upheld when a process that was started since stopped sending heartbeats, without reporting an exit, before it reached the
 * predicted age; refuted when one has outlived it.
 */
export const exitsAgain: Check<"exits-again"> = async (watch, look) => {
  const started = await startedSince(watch, look);
  const counts = { started: started.length, within_seconds: seconds(watch.within_ms) };
  const older = started.find((life) => ageOf(life) > watch.within_ms);
  if (older) return { outcome: "refuted", reason: `process ${older.instance} ${lived(older)}`, counts };
  for (const life of started.filter((one) => hasStopped(one, watch, look))) {
    if (await reportedItsEnd(watch, look, life)) continue;
    return { outcome: "upheld", reason: `process ${life.instance} ${lived(life)}, then stopped`, counts };
  }
  const reason =
    started.length === 0 ? "no process has started since" : "the processes started since are still too young to tell";
  return { outcome: "open", reason, counts };
};

function ageOf({ firstAt, lastAt }: Life): number {
  return Date.parse(lastAt) - Date.parse(firstAt);
}

function hasStopped({ ended, lastAt }: Life, watch: WatchOf<"exits-again">, { to }: Look): boolean {
  return !ended && to - Date.parse(lastAt) >= watch.exit_after_ms;
}

/** Whether it reported the exception that ended it. */
async function reportedItsEnd({ service }: WatchOf<"exits-again">, { events, from, to }: Look, { instance }: Life) {
  const span = { from: iso(from), to: iso(to), service, instance };
  const fatal = await events.find({ ...span, types: ["exception"], levels: ["critical"], limit: fatalRead });
  return fatal.some(({ event }) => !event.mechanism.handled);
}

function lived(life: Life): string {
  return `sent telemetry from ${life.firstAt} to ${life.lastAt}, for ${seconds(ageOf(life))} s`;
}

function seconds(ms: number): number {
  return Math.round(ms / 1_000);
}
