import { z } from "zod";
import type { StoredEvent } from "../event-store.ts";
import { readEvent } from "./find-events.ts";
import type { Ask } from "./query.ts";

/** An event has up to half a mebibyte, and most have 2 kB. */
const chunkEventsMax = 500;
/** Beyond it the search for ids in several places goes on on the disk. */
const groupingBytesMax = 128 * 1_048_576;

const serviceSchema = z.object({ scope_id: z.string(), service: z.string() });
const rowSchema = z.object({ timestamp: z.string(), id: z.string() });
const repeatedSchema = serviceSchema.extend(rowSchema.shape);

/**
 * Every event, each id once, along the order in which they are stored: scope by scope, service by service, the oldest
 * first. What is stored meanwhile comes with the others or not at all.
 */
export async function* everyEvent(ask: Ask): AsyncGenerator<StoredEvent[]> {
  const placeOfRepeated = await repeatedIds(ask);
  const services = await ask("SELECT DISTINCT scope_id, service FROM {database:Identifier}.events ORDER BY 1, 2", {});
  for (const row of services) {
    const { scope_id, service } = serviceSchema.parse(row);
    for await (const rows of chunksOf(ask, scope_id, service)) {
      const events = rows.filter((row) => {
        const { timestamp, id } = rowSchema.parse(row);
        const place = placeOfRepeated.get(joined(scope_id, id));
        return place === undefined || place === joined(service, timestamp);
      });
      if (events.length > 0) yield events.map(readEvent);
    }
  }
}

/**
 * Where to take ids from that lie in several places: a client sent one again with another time or service, or the time
 * was not believed as it stood (`to-row.ts`). They are few.
 */
async function repeatedIds(ask: Ask): Promise<Map<string, string>> {
  const rows = await ask(
    `SELECT scope_id, id, place.1 AS service, toString(place.2) AS timestamp
     FROM (
       SELECT scope_id, id, min((service, timestamp)) AS place, max((service, timestamp)) AS last_place
       FROM {database:Identifier}.events GROUP BY scope_id, id
     )
     WHERE place != last_place
     SETTINGS max_bytes_before_external_group_by = ${groupingBytesMax}`,
    {},
  );
  return new Map(
    rows.map((row) => {
      const { scope_id, id, service, timestamp } = repeatedSchema.parse(row);
      return [joined(scope_id, id), joined(service, timestamp)];
    }),
  );
}

/** Sorts keys first and reads bodies last, as every question does. */
async function* chunksOf(ask: Ask, scope: string, service: string): AsyncGenerator<readonly unknown[]> {
  let after = { timestamp: "1900-01-01 00:00:00.000", id: "" };
  for (;;) {
    const rows = await ask(
      `SELECT toString(timestamp) AS timestamp, id, payload FROM {database:Identifier}.events AS event
       WHERE scope_id = {scope:String} AND (service, event.timestamp, id) GLOBAL IN (
         SELECT service, timestamp, id FROM {database:Identifier}.events
         WHERE scope_id = {scope:String} AND service = {service:String}
           AND timestamp >= {timestamp:DateTime64(3, 'UTC')}
           AND (timestamp, id) > ({timestamp:DateTime64(3, 'UTC')}, {id:String})
         ORDER BY timestamp, id LIMIT 1 BY timestamp, id LIMIT ${chunkEventsMax}
       )
       ORDER BY event.timestamp, id LIMIT 1 BY event.timestamp, id`,
      { scope, service, ...after },
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    after = rowSchema.parse(last);
    yield rows;
  }
}

function joined(...names: readonly string[]): string {
  return JSON.stringify(names);
}
