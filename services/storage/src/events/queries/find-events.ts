import { z } from "zod";
import { clickHouseTime } from "../clickhouse-time.ts";
import type { EventFilter, StoredEvent } from "../event-store.ts";
import type { Ask } from "./query.ts";

/** The columns that {@link readEvent} reads. */
export const eventColumns = "payload, retention_days";
const rowSchema = z.object({ payload: z.string(), retention_days: z.coerce.number() });

/**
 * The newest events of a scope that a filter lets through, or the oldest. Sorts keys first and reads bodies last: bodies are large.
 * GLOBAL, since on a cluster both tables are distributed; on one server it changes nothing.
 */
export async function findEvents(ask: Ask, scopeId: string, filter: EventFilter): Promise<StoredEvent[]> {
  const { conditions, parameters } = whereOf(scopeId, filter);
  const order = filter.oldestFirst ? "timestamp, id" : "timestamp DESC, id DESC";
  const rows = await ask(
    `SELECT ${eventColumns} FROM {database:Identifier}.events
     WHERE scope_id = {scope:String} AND (service, timestamp, id) GLOBAL IN (
       SELECT service, timestamp, id FROM {database:Identifier}.events WHERE ${conditions.join(" AND ")}
       ORDER BY ${order} LIMIT 1 BY id LIMIT {limit:UInt32}
     )
     ORDER BY ${order}, received_at LIMIT 1 BY id`,
    { ...parameters, limit: filter.limit },
  );
  return rows.map(readEvent);
}

/** The event of this id, as it first came; null when there is none. */
export async function findEvent(ask: Ask, scopeId: string, id: string): Promise<StoredEvent | null> {
  const rows = await ask(
    `SELECT ${eventColumns} FROM {database:Identifier}.events
     WHERE scope_id = {scope:String} AND id = {id:String} ORDER BY received_at LIMIT 1`,
    {
      scope: scopeId,
      id,
    },
  );
  const [row] = rows.map(readEvent);
  return row ?? null;
}

function whereOf(scopeId: string, filter: EventFilter): { conditions: string[]; parameters: Record<string, unknown> } {
  const conditions = [
    "scope_id = {scope:String}",
    "timestamp >= {from:DateTime64(3, 'UTC')}",
    "timestamp < {to:DateTime64(3, 'UTC')}",
  ];
  const parameters: Record<string, unknown> = {
    scope: scopeId,
    from: clickHouseTime(Date.parse(filter.from)),
    to: clickHouseTime(Date.parse(filter.to)),
  };
  const equals = [
    ["service", filter.service],
    ["env", filter.env],
    ["instance", filter.instance],
    ["fingerprint", filter.fingerprint],
    ["trace_id", filter.traceId],
  ] as const;
  for (const [column, value] of equals) {
    if (value === undefined) continue;
    conditions.push(`${column} = {${column}:String}`);
    parameters[column] = value;
  }
  if (filter.after !== undefined) {
    conditions.push(
      `(timestamp, id) ${filter.oldestFirst ? ">" : "<"} ({after:DateTime64(3, 'UTC')}, {after_id:String})`,
    );
    const { timestamp, id } = filter.after;
    Object.assign(parameters, { after: clickHouseTime(Date.parse(timestamp)), after_id: id });
  }
  const oneOf = [
    ["id", filter.ids],
    ["type", filter.types],
    ["level", filter.levels],
  ] as const;
  for (const [column, values] of oneOf) {
    if (values === undefined) continue;
    conditions.push(`${column} IN {${column}:Array(String)}`);
    parameters[column] = values;
  }
  return { conditions, parameters };
}

/** The event of a row of {@link eventColumns}, with the retention it has now: `retain` changes only the column. */
export function readEvent(row: unknown): StoredEvent {
  const { payload, retention_days } = rowSchema.parse(row);
  // Only `toRows` writes this column, from a StoredEvent.
  const { retentionDays: _first, ...stored } = JSON.parse(payload) as StoredEvent;
  return retention_days === 0 ? stored : { ...stored, retentionDays: retention_days };
}
