import { isCrashLoop, type ProcessExit } from "@whence/protocol";
import type { ProcessLife, ScopedEvents } from "@whence/storage";
import { isShortLived } from "./crash-loop.ts";
import { firstHeard, lastHeard, type SilenceTimes } from "./missing-heartbeats.ts";

/** Around an end, in which a process of another release makes it a deployment. */
const replacementMs = 15 * 60_000;
const replacementsMax = 50;

/** Why a death opens nothing. */
export interface SkipReason {
  readonly rule: "short-lived" | "replaced-by-release";
  readonly reason: string;
}

interface Around {
  readonly events: ScopedEvents;
  readonly lives: readonly ProcessLife[];
  readonly times: SilenceTimes;
}

/** Of one process that was ended from outside: a job that was done, or one that a deployment replaced. Null: news. */
export async function reasonToSkip(
  life: ProcessLife,
  death: ProcessExit,
  { events, lives, times }: Around,
): Promise<SkipReason | null> {
  if (death.kind !== "killed") return null;
  const isLoop = isCrashLoop(death);
  if (!isLoop && isShortLived(life, times)) {
    const heardForMs = lastHeard(life) - firstHeard(life);
    const heard = heardForMs < 1_000 ? "once only" : `for ${Math.round(heardForMs / 1_000)} seconds only`;
    const reason = `the process was heard ${heard}: a job that was done, as far as anybody can tell`;
    return { rule: "short-lived", reason };
  }
  const [first] = death.processes;
  const release = first?.release ?? "";
  const startedAt = isLoop && first ? firstHeard(first) : firstHeard(life);
  const next = release === "" ? null : await replacement(events, life, { release, startedAt }, lives);
  if (next === null) return null;
  const reason = `release ${next} of the service was started around the time at which this process of ${release} was heard last: a deployment that ends its predecessors without their word`;
  return { rule: "replaced-by-release", reason };
}

/** Another release of the service that was started after this one, or after its first round, around its end. */
async function replacement(
  events: ScopedEvents,
  life: ProcessLife,
  { release, startedAt }: { readonly release: string; readonly startedAt: number },
  lives: readonly ProcessLife[],
): Promise<string | null> {
  const started = new Set(
    lives
      .filter((other) => {
        const firstMs = firstHeard(other);
        return (
          other.service === life.service && firstMs > startedAt && Math.abs(firstMs - lastHeard(life)) < replacementMs
        );
      })
      .map(({ instance }) => instance),
  );
  if (started.size === 0) return null;
  const around = { from: shifted(life.lastHeardAt, -replacementMs), to: shifted(life.lastHeardAt, replacementMs) };
  const beats = await events.find({
    ...{ ...around, service: life.service },
    ...{ types: ["heartbeat"], limit: replacementsMax },
  });
  const other = beats.find((beat) => started.has(beat.instance) && beat.release !== "" && beat.release !== release);
  return other?.release ?? null;
}

function shifted(at: string, ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString();
}
