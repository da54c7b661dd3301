import { z } from "zod";
import { clickHouseTime } from "../clickhouse-time.ts";
import type { FailureCount, Span } from "../surroundings.ts";
import { bounded, failuresWhere, inSpan, spanParameters } from "./activity.ts";
import type { Ask } from "./query.ts";

const count = z.coerce.number();
const rowSchema = z.object({
  service: z.string(),
  fingerprint: z.string(),
  events: count,
  before: count,
  first_ms: count,
  last_ms: count,
});

/** The failures of a span, and how often each came in as long a span before. */
export async function failures(ask: Ask, scope: string, filter: Span & { limit: number }): Promise<FailureCount[]> {
  const [from, to] = [Date.parse(filter.from), Date.parse(filter.to)];
  const rows = await ask(
    `SELECT service, fingerprint, ${failuresWhere("timestamp >= {begin:DateTime64(3, 'UTC')}")} AS events,
       ${failuresWhere("timestamp < {begin:DateTime64(3, 'UTC')}")} AS before,
       toUnixTimestamp64Milli(minIf(timestamp, timestamp >= {begin:DateTime64(3, 'UTC')})) AS first_ms,
       toUnixTimestamp64Milli(max(timestamp)) AS last_ms
     FROM {database:Identifier}.events WHERE ${inSpan} AND fingerprint != ''
     GROUP BY service, fingerprint HAVING events > 0
     ORDER BY events DESC, service, fingerprint LIMIT {limit:UInt32} ${bounded}`,
    {
      ...spanParameters(scope, { ...filter, from: new Date(from - (to - from)).toISOString() }),
      begin: clickHouseTime(from),
      limit: filter.limit,
    },
  );
  return rows.map((row) => {
    const { first_ms, last_ms, ...rest } = rowSchema.parse(row);
    return { ...rest, firstAt: new Date(first_ms).toISOString(), lastAt: new Date(last_ms).toISOString() };
  });
}
