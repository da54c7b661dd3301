import type { Collector } from "@whence/engine";
import { observeData } from "@whence/engine";
import type { ScopedEvents } from "@whence/storage";
import { failureOf, spanBefore } from "./shared-reads.ts";

const windowMs = 15 * 60_000;

/** The share of requests that failed: how many the service answered, and how many of them with 500 or above. */
export function answeredRequests(events: ScopedEvents): Collector {
  const name = "answered requests";
  return {
    name,
    async collect(findings) {
      const { event } = failureOf(findings) ?? {};
      if (!event) return [];
      const minutes = await events.answers({ ...spanBefore(event, windowMs), service: event.service });
      const last = minutes.at(-1);
      if (!last) return [];
      return [
        observeData(
          { kind: "telemetry", name },
          { service: event.service, minutes },
          { observed_at: last.at, fact: { kind: "answers", service: event.service, minutes } },
        ),
      ];
    },
  };
}
