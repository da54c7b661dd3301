import type { ScopedEvents, StoredEvent } from "@whence/storage";
import { z } from "zod";
import type { Collector } from "../investigation/collect/collector.ts";
import type { Observation } from "../investigation/findings.ts";
import { firstLine, observeData } from "../investigation/observe.ts";
import { inlineCode } from "../investigation/prose.ts";

const minuteMs = 60_000;
const windowMs = 30 * minuteMs;
const eventsMax = 200;
const errorsShown = 3;
/** Heap in use at the last heartbeat over that at the first: below it is the ordinary saw-tooth. */
const growthFactor = 1.5;
const lagMsMin = 200;

/** What a heartbeat says of the process; whatever else it carries is left alone. */
const heartbeatSchema = z.object({
  heap_used_bytes: z.number().optional(),
  rss_bytes: z.number().optional(),
  event_loop_delay_ms: z.number().optional(),
});

/** What this process reported before it failed: earlier errors, memory that grew, an event loop that was blocked. */
export function sameInstance(events: ScopedEvents): Collector {
  const name = "same process";
  return {
    name,
    async collect({ event, incident }) {
      if (!event) return [];
      const to = event.at;
      const from = new Date(Date.parse(event.at) - windowMs).toISOString();
      const found = await events.find({ from, to, limit: eventsMax, instance: event.instance });
      const earlier = found.filter((one) => one.event.id !== event.id).toReversed();
      return [...earlierFailures(earlier, incident.fingerprint, name), ...trends(earlier, name)];
    },
  };
}

function earlierFailures(events: readonly StoredEvent[], own: string | null, name: string): Observation[] {
  const failures = events.filter(({ fingerprint }) => fingerprint !== "");
  return failures.slice(-errorsShown).map(({ event, fingerprint }) =>
    observeData(
      { kind: "telemetry", name },
      { id: event.id, timestamp: event.timestamp, message: event.message, fingerprint },
      {
        observed_at: event.timestamp,
        summary: `the same process had failed before: ${inlineCode(firstLine(event.message))}`,
        fact: {
          kind: "earlier-failure",
          at: event.timestamp,
          message: firstLine(event.message),
          sameFailure: fingerprint === own,
        },
      },
    ),
  );
}

function trends(events: readonly StoredEvent[], name: string): Observation[] {
  const beats = events.flatMap(({ event }) => {
    const read = heartbeatSchema.safeParse(event.attributes ?? {});
    return event.type === "heartbeat" && read.success ? [{ at: event.timestamp, ...read.data }] : [];
  });
  const first = beats[0];
  const last = beats.at(-1);
  if (!first || !last) return [];
  const says: { resource: "memory" | "event-loop"; text: string }[] = [];
  const grew = growth(first.heap_used_bytes ?? first.rss_bytes, last.heap_used_bytes ?? last.rss_bytes);
  if (grew !== null)
    says.push({ resource: "memory", text: `memory grew by a factor of ${grew.toFixed(1)} since ${first.at}` });
  const lag = last.event_loop_delay_ms ?? 0;
  if (lag >= lagMsMin)
    says.push({ resource: "event-loop", text: `the event loop was blocked for ${Math.round(lag)} ms` });
  return says.map(({ resource, text }) =>
    observeData({ kind: "telemetry", name }, beats, {
      observed_at: last.at,
      summary: text,
      fact: { kind: "resource-trend", resource, says: text },
    }),
  );
}

function growth(before: number | undefined, after: number | undefined): number | null {
  return before && after && after >= before * growthFactor ? after / before : null;
}
