import type { Collector, Observation } from "@whence/engine";
import { firstLine, observeData } from "@whence/engine";
import { minuteMs } from "@whence/protocol";
import type { ScopedEvents, StoredEvent } from "@whence/storage";
import { busyDeadlineMs, spanBefore } from "./shared-reads.ts";

const windowMs = 30 * minuteMs;
const errorsShown = 3;

/** Collects the errors that this process had reported before it failed. */
export function sameInstance(events: ScopedEvents): Collector {
  const name = "same process";
  return {
    name,
    deadlineMs: busyDeadlineMs,
    async collect({ event, incident }) {
      if (!event) return [];
      const { from } = spanBefore(event, windowMs);
      const where = { service: event.service, instance: event.instance };
      const found = await events.find({
        ...where,
        from,
        to: event.at,
        limit: errorsShown + 1,
        levels: ["error", "critical"],
      });
      const earlier = found.filter((one) => one.event.id !== event.id && one.fingerprint !== "").slice(0, errorsShown);
      return earlier.toReversed().map((one) => observe(one, incident.fingerprint, name));
    },
  };
}

function observe({ event, fingerprint }: StoredEvent, own: string | null, name: string): Observation {
  const { id, timestamp, message } = event;
  return observeData(
    { kind: "telemetry", name },
    { id, timestamp, message, fingerprint },
    {
      observed_at: timestamp,
      fact: {
        kind: "earlier-failure",
        at: timestamp,
        message: firstLine(message),
        sameFailure: fingerprint === own,
      },
    },
  );
}
