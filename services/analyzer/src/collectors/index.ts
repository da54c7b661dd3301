import type { Collector } from "@whence/engine";
import type { ScopedEvents } from "@whence/storage";
import type { ReportedReleases } from "../releases/known-releases.ts";
import { type AnnouncedReadsOf, announcedReads } from "./announced.ts";
import { announcedFailures } from "./announced-failures.ts";
import { announcedRate } from "./announced-rate.ts";
import { answeredRequests } from "./answered-requests.ts";
import { concentration } from "./concentration.ts";
import { deploys, type JudgedReleases, judgeReleases } from "./deploys.ts";
import { failingCalls } from "./failing-calls.ts";
import { failureTotals } from "./failure-totals.ts";
import { processState } from "./process-state.ts";
import { sameInstance } from "./same-instance.ts";
import { serviceMetrics } from "./service-metrics.ts";
import { type ReadsOf, sharedReads } from "./shared-reads.ts";
import { type EarlierIncidents, similarIncidents } from "./similar-incidents.ts";
import { sinceWhen } from "./since-when.ts";
import { traces } from "./traces.ts";

/** What is known about a scope in addition to its telemetry. */
interface Beside {
  readonly earlier?: EarlierIncidents;
  /** The releases that were reported as live. */
  readonly reported?: ReportedReleases;
  /** Creates the collectors that query other sources about the failure's releases. */
  readonly more?: (judged: JudgedReleases) => readonly Collector[];
}

/**
 * Returns the collectors for one event, announced failure, or process exit. Create them for each failure, because they
 * share what they read.
 */
export function telemetryCollectors(
  events: ScopedEvents,
  { earlier, reported, more = () => [] }: Beside = {},
): readonly Collector[] {
  let shared: ReturnType<ReadsOf> | undefined;
  const reads: ReadsOf = (failure) => {
    shared ??= sharedReads(events, reported ?? null, failure);
    return shared;
  };
  let sharedOfAnnounced: ReturnType<AnnouncedReadsOf> | undefined;
  const readsOfAnnounced: AnnouncedReadsOf = (announced) => {
    sharedOfAnnounced ??= announcedReads(events, reported ?? null, announced);
    return sharedOfAnnounced;
  };
  const judged = judgeReleases(events, reported ?? null, reads, readsOfAnnounced);
  return [
    failureTotals(events),
    answeredRequests(events),
    sinceWhen(events, reads),
    deploys(judged),
    ...more(judged),
    concentration(reads),
    traces(events, reads),
    failingCalls(reads),
    processState(events, reads, readsOfAnnounced),
    serviceMetrics(events, reads, readsOfAnnounced),
    sameInstance(events),
    announcedFailures(events, readsOfAnnounced),
    announcedRate(events),
    ...(earlier ? [similarIncidents(earlier)] : []),
  ];
}
