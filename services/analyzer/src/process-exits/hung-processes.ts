import { mostLikelyExit } from "@whence/engine";
import type { ProcessExit } from "@whence/protocol";
import type { ProcessLife, ScopedEvents } from "@whence/storage";
import { blockedMs, readLastHeartbeat } from "./last-heartbeat.ts";
import { type ExitTimes, type Listening, lastSeen, othersReporting } from "./missing-heartbeats.ts";

const heartbeatsOfBlockedMax = 200;

/** Returns processes whose watchdog thread reports a blocked main thread, and that haven't recovered since. */
export async function hungProcesses(
  events: ScopedEvents,
  lives: readonly ProcessLife[],
  { now }: Listening,
  times: ExitTimes,
): Promise<{ life: ProcessLife; exit: ProcessExit }[]> {
  const { exitAfterMs, spreadMs } = times;
  const beats = await events.find({
    from: new Date(now - 2 * exitAfterMs).toISOString(),
    to: new Date(now + exitAfterMs).toISOString(),
    types: ["heartbeat"],
    levels: ["error"],
    limit: heartbeatsOfBlockedMax,
  });
  const newest = new Map(beats.toReversed().map((beat) => [beat.instance, beat]));
  const hung: { life: ProcessLife; exit: ProcessExit }[] = [];
  for (const life of lives) {
    const beat = newest.get(life.instance);
    if (!beat || life.ended) continue;
    const isLatest = Date.parse(beat.receivedAt) >= lastSeen(life);
    if (!isLatest || blockedMs(beat) < spreadMs) continue;
    const { process } = await readLastHeartbeat(events, life);
    const exit: ProcessExit = {
      kind: "hung",
      confidence: mostLikelyExit(process).likelihood,
      exitAfterMs,
      noticedAt: new Date(now).toISOString(),
      processes: [process],
      othersReporting: othersReporting([life], lives, { now }, times),
    };
    hung.push({ life, exit });
  }
  return hung;
}

/** Returns whether the last heartbeat of a process reports a blocked main thread. */
export async function isStillBlocked(events: ScopedEvents, instance: string, from: Date, to: Date): Promise<boolean> {
  const span = { from: from.toISOString(), to: to.toISOString() };
  const [beat] = await events.find({ ...span, instance, types: ["heartbeat"], limit: 1 });
  return beat !== undefined && blockedMs(beat) > 0;
}
