import type { Collector, Observation } from "@whence/engine";
import { observeData } from "@whence/engine";
import { minuteMs } from "@whence/protocol";
import type { MeasuredQueue, MeasuredRate, ScopedEvents } from "@whence/storage";
import type { AnnouncedReadsOf } from "./announced.ts";
import { type Failing, failingOf } from "./failing-services.ts";
import { busyDeadlineMs, type ReadsOf, spanBefore } from "./shared-reads.ts";

const windowMs = 60 * minuteMs;
const ratesMax = 200;
const queuesMax = 20;
/** Of each kind. */
const shownMax = 3;

/** Fewer failures than this are no rate, */
const failedMin = 5;
/** and neither is a smaller share, */
const shareMin = 0.05;
/** or one that isn't this many times the share before. */
const shareFactor = 3;
/** Fewer messages than this are no backlog, and neither is less than this many times the usual number. */
const waitingMin = 10;
const waitingFactor = 3;

/**
 * Collects what metrics of the failing service, and of those it called without success, show before the failure: routes
 * that fail more often, queues that grew, and restarts of containers.
 */
export function serviceMetrics(events: ScopedEvents, reads: ReadsOf, announcedReads: AnnouncedReadsOf): Collector {
  const name = "metrics of services";
  return {
    name,
    deadlineMs: busyDeadlineMs,
    async collect(findings) {
      const failing = await failingOf(findings, reads, announcedReads);
      if (!failing) return [];
      const filter = { ...spanBefore(failing, windowMs), services: [failing.service, ...failing.callees] };
      const [rates, queues] = await Promise.all([
        events.measuredRates({ ...filter, limit: ratesMax }),
        events.measuredQueues({ ...filter, limit: queuesMax }),
      ]);
      return [
        ...rates
          .filter(failsMore)
          .slice(0, shownMax)
          .map((rate) => observeRoute(rate, failing, name)),
        ...queues
          .filter(isBacklog)
          .slice(0, shownMax)
          .map((queue) => observeQueue(queue, failing, name)),
        ...rates
          .filter(isRestarted)
          .slice(0, shownMax)
          .map((rate) => observeRestarts(rate, failing, name)),
      ];
    },
  };
}

function failsMore({ kind, recent, recentFailed, earlier, earlierFailed }: MeasuredRate): boolean {
  if (kind === "restarts" || recentFailed < failedMin) return false;
  const share = recentFailed / recent;
  return share >= shareMin && (earlier === 0 || share >= (shareFactor * earlierFailed) / earlier);
}

type Backlog = MeasuredQueue & { readonly usual: number };

function isBacklog(queue: MeasuredQueue): queue is Backlog {
  return queue.usual !== null && queue.last >= Math.max(waitingMin, waitingFactor * queue.usual);
}

function isRestarted({ kind, recent, earlier }: MeasuredRate): boolean {
  return kind === "restarts" && recent + earlier >= 1;
}

function observeRoute(rate: MeasuredRate, failing: Failing, name: string): Observation {
  const { service, kind, name: route, recent, recentFailed, earlier, earlierFailed, lastAt } = rate;
  const counts = { recent: { all: recent, failed: recentFailed }, earlier: { all: earlier, failed: earlierFailed } };
  const of = kind === "process" ? "process" : "route";
  const fact = { service, own: service === failing.service, of, name: route, ...counts } as const;
  return observeData({ kind: "telemetry", name }, fact, {
    observed_at: lastAt,
    fact: { kind: "failing-route", route: fact },
  });
}

function observeQueue(
  { service, name: queue, last, usual, lastAt }: Backlog,
  failing: Failing,
  name: string,
): Observation {
  const fact = { service, own: service === failing.service, name: queue, waiting: last, usual };
  return observeData({ kind: "telemetry", name }, fact, {
    observed_at: lastAt,
    fact: { kind: "queue-backlog", queue: fact },
  });
}

function observeRestarts(
  { service, recent, earlier, lastAt }: MeasuredRate,
  failing: Failing,
  name: string,
): Observation {
  const fact = { service, own: service === failing.service, times: recent + earlier, at: lastAt };
  return observeData({ kind: "telemetry", name }, fact, {
    observed_at: lastAt,
    fact: { kind: "container-restarts", restarts: fact },
  });
}
