import type { Watch } from "@whence/protocol";
import type { StoredEvent } from "@whence/storage";
import { type Check, iso, type Look } from "../look.ts";

/**
 * Refuted by one heartbeat of the process's main thread; upheld when none came until it is due while somebody was heard,
 * so that it was not only us who heard nothing.
 */
export const staysSilent: Check<"stays-silent"> = async (watch, look) => {
  const beat = await heartbeatOf(watch, look, watch.instance);
  const counts = { heartbeats: beat ? 1 : 0 };
  if (beat) {
    const reason = `its main thread was heard again, at ${beat.event.timestamp}`;
    return { outcome: "refuted", reason, counts, excerpt: quoteBeat(beat) };
  }
  if (!look.isDue) return { outcome: "open", reason: "it was not heard again so far", counts };
  if (!(await isAnybodyHeard(watch, look)))
    return {
      outcome: "open",
      reason: "nobody at all was heard since: it says nothing that this process was not",
      counts,
    };
  return { outcome: "upheld", reason: "no heartbeat of its main thread came, while others were heard", counts };
};

/** A heartbeat of a main thread. Those of the level `error` are of a thread that watches it. */
export async function heartbeatOf(
  { service }: Watch,
  { events, from, to }: Look,
  instance: string,
): Promise<StoredEvent | null> {
  const span = { from: iso(from), to: iso(to), service, instance };
  const [beat] = await events.find({ ...span, types: ["heartbeat"], levels: ["info"], limit: 1 });
  return beat ?? null;
}

/** Whether any process of the environment was heard since the report. */
export async function isAnybodyHeard({ env }: Watch, { events, from }: Look): Promise<boolean> {
  return (await events.lives({ env, since: iso(from), limit: 1 })).length > 0;
}

/** A heartbeat in one line. */
export function quoteBeat({ event, instance, host }: StoredEvent): string {
  return `${event.timestamp} heartbeat ${event.id} of process ${instance} on ${host.name}`;
}
