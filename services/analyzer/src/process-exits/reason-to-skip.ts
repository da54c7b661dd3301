import { isCrashLoop, minuteMs, type ProcessExit } from "@whence/protocol";
import type { ProcessLife, ScopedEvents } from "@whence/storage";
import { isShortLived } from "./crash-loop.ts";
import { type ExitTimes, firstSeen, lastSeen } from "./missing-heartbeats.ts";

/** A process of another release that starts this close to an exit makes it a deployment. */
const replacementMs = 15 * minuteMs;
const replacementsMax = 50;

/** The reason why an exit opens nothing. */
export interface SkipReason {
  readonly rule: "short-lived" | "replaced-by-release";
  readonly reason: string;
}

interface Around {
  readonly events: ScopedEvents;
  readonly lives: readonly ProcessLife[];
  readonly times: ExitTimes;
}

/**
 * Returns why a process that was ended from outside opens nothing: a finished job, or one replaced by a deployment.
 * Null when it does open an incident.
 */
export async function reasonToSkip(
  life: ProcessLife,
  exit: ProcessExit,
  { events, lives, times }: Around,
): Promise<SkipReason | null> {
  if (exit.kind !== "killed") return null;
  const isLoop = isCrashLoop(exit);
  if (!isLoop && isShortLived(life, times)) {
    const livedMs = lastSeen(life) - firstSeen(life);
    const reported = livedMs < 1_000 ? "only once" : `for only ${Math.round(livedMs / 1_000)} seconds`;
    const reason = `the process sent telemetry ${reported}, so it is probably a job that finished`;
    return { rule: "short-lived", reason };
  }
  const [first] = exit.processes;
  const release = first?.release ?? "";
  const startedAt = isLoop && first ? firstSeen(first) : firstSeen(life);
  const next = release === "" ? null : await replacement(events, life, { release, startedAt }, lives);
  if (next === null) return null;
  const reason = `release ${next} of the service started around the last heartbeat of this process of ${release}: a deployment probably replaced it`;
  return { rule: "replaced-by-release", reason };
}

/** Returns another release of the service that started after this process or its first round, and close to its exit. */
async function replacement(
  events: ScopedEvents,
  life: ProcessLife,
  { release, startedAt }: { readonly release: string; readonly startedAt: number },
  lives: readonly ProcessLife[],
): Promise<string | null> {
  const started = new Set(
    lives
      .filter((other) => {
        const firstMs = firstSeen(other);
        return (
          other.service === life.service && firstMs > startedAt && Math.abs(firstMs - lastSeen(life)) < replacementMs
        );
      })
      .map(({ instance }) => instance),
  );
  if (started.size === 0) return null;
  const around = { from: shifted(life.lastSeenAt, -replacementMs), to: shifted(life.lastSeenAt, replacementMs) };
  const beats = await events.find({
    ...around,
    service: life.service,
    types: ["heartbeat"],
    limit: replacementsMax,
  });
  const other = beats.find((beat) => started.has(beat.instance) && beat.release !== "" && beat.release !== release);
  return other?.release ?? null;
}

function shifted(at: string, ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString();
}
