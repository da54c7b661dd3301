import type { ScopedEvents } from "@whence/storage";
import type { Collector } from "../investigation/collect/collector.ts";
import { failureTotals } from "./failure-totals.ts";
import { sameInstance } from "./same-instance.ts";
import { traceNeighbours } from "./trace-neighbours.ts";

/** What the telemetry of one scope can tell about a failure. */
export function telemetryCollectors(events: ScopedEvents): readonly Collector[] {
  return [failureTotals(events), sameInstance(events), traceNeighbours(events)];
}
