import type { Collector } from "@whence/engine";
import { minuteMs } from "@whence/protocol";
import type { ScopedEvents } from "@whence/storage";
import { type Announced, type AnnouncedReadsOf, announcedOf } from "./announced.ts";
import { observeOnwardCalls } from "./onward-calls.ts";
import { type FoundFailure, observeRelatedFailures, thereBeforeShare } from "./related-failures.ts";
import { busyDeadlineMs } from "./shared-reads.ts";

/** Alerts fire some minutes after what they measure began. */
const beforeMs = 15 * minuteMs;
const afterMs = 5 * minuteMs;
const failuresMax = 100;
const shownMax = 5;

/** Finds other failures around an announced one, of its service and of the services that it calls. */
export function announcedFailures(events: ScopedEvents, reads: AnnouncedReadsOf): Collector {
  const name = "failures at the time";
  return {
    name,
    deadlineMs: busyDeadlineMs,
    async collect(findings) {
      const announced = announcedOf(findings);
      if (!announced) return [];
      const { callees, addresses } = reads(announced);
      const found = await failuresThen(events, announced, await callees());
      return [
        ...(await observeRelatedFailures(events, found, { until: announced.at, name })),
        ...observeOnwardCalls(found, { own: announced.service, addresses: await addresses(), name }),
      ];
    },
  };
}

async function failuresThen(
  events: ScopedEvents,
  { service, env, at }: Announced,
  callees: readonly string[],
): Promise<FoundFailure[]> {
  const moment = Date.parse(at);
  const span = { env, from: new Date(moment - beforeMs).toISOString(), to: new Date(moment + afterMs).toISOString() };
  const counts = await events.failures({ ...span, limit: failuresMax });
  const related = counts.filter((one) => one.service === service || callees.includes(one.service)).slice(0, shownMax);
  const examples = await Promise.all(
    related.map(({ service: of, fingerprint }) =>
      events.circumstances({ ...span, service: of, fingerprint, limit: 1 }),
    ),
  );
  return related.flatMap((count, index): FoundFailure[] => {
    const example = examples[index]?.[0];
    if (!example) return [];
    const role = count.service === service ? "beside" : "deepest";
    const wasThere = count.before >= thereBeforeShare * count.events;
    return [{ example, link: "time", role, wasThere, traces: { with: 0, of: 0 } }];
  });
}
