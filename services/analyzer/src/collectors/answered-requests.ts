import type { Collector } from "@whence/engine";
import { observeData } from "@whence/engine";
import { minuteMs } from "@whence/protocol";
import type { ScopedEvents } from "@whence/storage";
import { announcedOf } from "./announced.ts";
import { failureOf, spanBefore } from "./shared-reads.ts";

const windowMs = 15 * minuteMs;

/** Collects the share of failed requests: how many the service answered, and how many of them with 500 or above. */
export function answeredRequests(events: ScopedEvents): Collector {
  const name = "answered requests";
  return {
    name,
    async collect(findings) {
      const about = failureOf(findings)?.event ?? announcedOf(findings);
      if (!about) return [];
      const { service } = about;
      const minutes = await events.answers({ ...spanBefore(about, windowMs), service });
      const last = minutes.at(-1);
      if (!last) return [];
      return [
        observeData(
          { kind: "telemetry", name },
          { service, minutes },
          { observed_at: last.at, fact: { kind: "answers", service, minutes } },
        ),
      ];
    },
  };
}
