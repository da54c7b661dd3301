import type { Watch } from "@whence/protocol";
import type { StoredEvent } from "@whence/storage";
import { type Check, iso, type Look } from "../look.ts";

/**
 * Refuted by one heartbeat of the process's main thread; upheld when none arrived by the due time while other processes
 * sent theirs, which shows that telemetry got through.
 */
export const staysDown: Check<"stays-down"> = async (watch, look) => {
  const beat = await heartbeatOf(watch, look, watch.instance);
  const counts = { heartbeats: beat ? 1 : 0 };
  if (beat) {
    const reason = `its main thread sent a heartbeat again at ${beat.event.timestamp}`;
    return { outcome: "refuted", reason, counts, excerpt: quoteBeat(beat) };
  }
  if (!look.isDue) return { outcome: "open", reason: "it hasn't sent a heartbeat yet", counts };
  if (!(await isAnyProcessAlive(watch, look)))
    return {
      outcome: "open",
      reason: "no process at all has sent telemetry since, so it means nothing that this one hasn't",
      counts,
    };
  return { outcome: "upheld", reason: "its main thread sent no heartbeat while other processes did", counts };
};

/** A heartbeat of a main thread. Those with the level `error` come from the thread that watches it. */
export async function heartbeatOf(
  { service }: Watch,
  { events, from, to }: Look,
  instance: string,
): Promise<StoredEvent | null> {
  const span = { from: iso(from), to: iso(to), service, instance };
  const [beat] = await events.find({ ...span, types: ["heartbeat"], levels: ["info"], limit: 1 });
  return beat ?? null;
}

/** Whether any process of the environment has sent telemetry since the report. */
export async function isAnyProcessAlive({ env }: Watch, { events, from }: Look): Promise<boolean> {
  return (await events.lives({ env, since: iso(from), limit: 1 })).length > 0;
}

/** A heartbeat in one line. */
export function quoteBeat({ event, instance, host }: StoredEvent): string {
  return `${event.timestamp} heartbeat ${event.id} of process ${instance} on ${host.name}`;
}
