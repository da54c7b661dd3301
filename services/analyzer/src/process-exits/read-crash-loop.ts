import type { ExitedProcess } from "@whence/protocol";
import type { ProcessLife, ScopedEvents } from "@whence/storage";
import { isShortLived, roundsMin, roundsUpTo } from "./crash-loop.ts";
import { readLastHeartbeat } from "./last-heartbeat.ts";
import type { ExitTimes } from "./missing-heartbeats.ts";

/** The newest rounds: more than anyone reads. */
const roundsReadMax = 10;

interface Around {
  readonly events: ScopedEvents;
  readonly lives: readonly ProcessLife[];
  readonly times: ExitTimes;
}

/**
 * Returns the rounds of the crash loop that ends with this process, oldest first: processes of one release that never
 * reported their exit. Null when it isn't part of a loop.
 */
export async function readCrashLoop(
  last: ProcessLife,
  { events, lives, times }: Around,
): Promise<ExitedProcess[] | null> {
  if (!isShortLived(last, times)) return null;
  const lived = roundsUpTo(last, lives, times).slice(-roundsReadMax);
  if (lived.length < roundsMin) return null;
  const rounds: ExitedProcess[] = [];
  for (const life of lived.toReversed()) {
    if (life.ended) break;
    const { process, reportedItsEnd } = await readLastHeartbeat(events, life);
    if (reportedItsEnd || (rounds[0] && rounds[0].release !== process.release)) break;
    rounds.unshift(process);
  }
  return rounds.length < roundsMin ? null : rounds;
}
