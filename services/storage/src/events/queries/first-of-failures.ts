import { clickHouseTime } from "../clickhouse-time.ts";
import type { ReleaseFailures, StoredEvent } from "../event-store.ts";
import { bounded } from "./activity.ts";
import { eventColumns, readEvent } from "./find-events.ts";
import type { Ask } from "./query.ts";

/** The first event of each failure of a release. Sorts keys first and reads bodies last, as `find-events.ts` does. */
export async function firstOfFailures(ask: Ask, scopeId: string, filter: ReleaseFailures): Promise<StoredEvent[]> {
  const order = "fingerprint = {fingerprint:String} DESC, timestamp, id";
  const rows = await ask(
    `SELECT ${eventColumns} FROM {database:Identifier}.events
     WHERE scope_id = {scope:String} AND (service, timestamp, id) GLOBAL IN (
       SELECT service, timestamp, id FROM {database:Identifier}.events
       WHERE scope_id = {scope:String} AND service = {service:String} AND release = {release:String}
         AND timestamp >= {from:DateTime64(3, 'UTC')} AND timestamp < {to:DateTime64(3, 'UTC')} AND fingerprint != ''
       ORDER BY ${order} LIMIT 1 BY fingerprint LIMIT {limit:UInt32}
     )
     ORDER BY ${order}, received_at LIMIT 1 BY id ${bounded}`,
    {
      scope: scopeId,
      service: filter.service,
      release: filter.release,
      fingerprint: filter.fingerprint,
      from: clickHouseTime(Date.parse(filter.from)),
      to: clickHouseTime(Date.parse(filter.to)),
      limit: filter.limit,
    },
  );
  return rows.map(readEvent);
}
