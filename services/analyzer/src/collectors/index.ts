import type { Collector } from "@whence/engine";
import type { ScopedEvents } from "@whence/storage";
import { answeredRequests } from "./answered-requests.ts";
import { concentration } from "./concentration.ts";
import { deploys } from "./deploys.ts";
import { failingCalls } from "./failing-calls.ts";
import { failureTotals } from "./failure-totals.ts";
import { processState } from "./process-state.ts";
import { releaseBeforeExit } from "./release-before-exit.ts";
import { sameInstance } from "./same-instance.ts";
import { type ReadsOf, sharedReads } from "./shared-reads.ts";
import { type EarlierIncidents, similarIncidents } from "./similar-incidents.ts";
import { sinceWhen } from "./since-when.ts";
import { traces } from "./traces.ts";

/** The collectors for one failure, over the telemetry and the earlier incidents of its scope. Create them for each failure, because they share what they read. */
export function telemetryCollectors(events: ScopedEvents, earlier: EarlierIncidents | null): readonly Collector[] {
  let shared: ReturnType<ReadsOf> | undefined;
  const reads: ReadsOf = (failure) => {
    shared ??= sharedReads(events, failure);
    return shared;
  };
  return [
    failureTotals(events),
    answeredRequests(events),
    sinceWhen(events),
    deploys(events, reads),
    releaseBeforeExit(events),
    concentration(reads),
    traces(events, reads),
    failingCalls(reads),
    processState(events, reads),
    sameInstance(events),
    ...(earlier ? [similarIncidents(earlier)] : []),
  ];
}
