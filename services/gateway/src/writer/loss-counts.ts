import type { Dropped } from "@whence/protocol";

/** What one batch may add to a figure that all organizations share: a client may claim that it lost any number. */
const countedPerBatchMax = 100_000;

/** How many events were reported as lost, for one reason. */
export interface LossCount {
  readonly reason: Dropped["reason"];
  readonly events: number;
}

/** The losses that a batch reports, by reason, bounded. */
export function lossCounts(dropped: readonly Dropped[]): LossCount[] {
  return [...Map.groupBy(dropped, ({ reason }) => reason)].map(([reason, ranges]) => {
    const events = ranges.reduce((sum, { from_seq: from, to_seq: to }) => sum + to - from + 1, 0);
    return { reason, events: Math.min(events, countedPerBatchMax) };
  });
}
