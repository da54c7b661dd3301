import type { Collector } from "@whence/engine";
import { inlineCode, observeData } from "@whence/engine";
import type { AnswerCount, ScopedEvents } from "@whence/storage";
import { failureOf, spanBefore } from "./shared-reads.ts";

const windowMs = 15 * 60_000;

/** How many requests the service answered, and how many of them with 500 and above: what share of them it is that hurts. */
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
          {
            observed_at: last.at,
            summary: `${inlineCode(event.service)} answered ${said(minutes)} with 500 and above, by its heartbeats`,
            fact: { kind: "answers", minutes },
          },
        ),
      ];
    },
  };
}

function said(minutes: readonly AnswerCount[]): string {
  const requests = minutes.reduce((sum, minute) => sum + minute.requests, 0);
  const failed = minutes.reduce((sum, minute) => sum + minute.failed, 0);
  const span = minutes.length === 1 ? "a minute" : `${minutes.length} minutes`;
  return `${failed} of ${requests} requests in ${span}`;
}
