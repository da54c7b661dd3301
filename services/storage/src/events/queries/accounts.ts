import { reportsPerInstanceMax } from "../schema/tables.ts";

/**
 * One row for each process's life: what came (`numbers`, a bitmap), how far it got (`last_seq`), and `owned`: what it
 * reported lost, in order and free of overlaps, a number that was reported twice counting for the first range that
 * holds it. `where` picks rows of `deliveries`, all of a process's or none.
 */
export function accounts(where: string): string {
  return `SELECT *,
    last_seq - bitmapCardinality(numbers) AS missing_events,
    arraySort(reported) AS losses,
    arrayResize(arrayPushFront(
      arrayReduceInRanges('max', arrayMap(index -> (1, index), arrayEnumerate(losses)), arrayMap(loss -> loss.2, losses)),
      0
    ), length(losses)) AS reached_before,
    arrayFilter(loss -> loss.1 <= loss.2, arrayMap(
      (loss, reached) -> (greatest(loss.1, reached + 1), loss.2, loss.3), losses, reached_before
    )) AS owned
  FROM (
    SELECT
      scope_id, service, instance, env, host,
      toUnixTimestamp64Milli(min(delivery.first_received_at)) AS first_ms,
      toUnixTimestamp64Milli(max(delivery.received_at)) AS last_ms,
      groupBitmapMergeState(delivery.numbers) AS numbers,
      max(delivery.last_seq) AS last_seq,
      max(delivery.ended) AS ended,
      groupUniqArrayArrayMerge(${reportsPerInstanceMax})(delivery.reported) AS reported
    FROM {database:Identifier}.deliveries AS delivery
    WHERE ${where}
    GROUP BY scope_id, service, instance, env, host
  )`;
}

/** How many numbers of the range `loss` are missing: one that came although it was reported lost is not. */
export const missingOfLoss =
  "loss.2 - loss.1 + 1 - bitmapCardinality(bitmapSubsetInRange(numbers, loss.1, loss.2 + 1))";
