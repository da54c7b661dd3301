import type { Dropped } from "@whence/protocol";

/** The most that one batch may add to a metric shared by all organizations, since a client may claim any number. */
const countedPerBatchMax = 100_000;

/** The number of events reported as dropped for one reason. */
export interface LossCount {
  readonly reason: Dropped["reason"];
  readonly events: number;
}

/** Returns the dropped events of a batch by reason, limited. */
export function lossCounts(dropped: readonly Dropped[]): LossCount[] {
  return [...Map.groupBy(dropped, ({ reason }) => reason)].map(([reason, ranges]) => {
    const events = ranges.reduce((sum, { from_seq: from, to_seq: to }) => sum + to - from + 1, 0);
    return { reason, events: Math.min(events, countedPerBatchMax) };
  });
}
