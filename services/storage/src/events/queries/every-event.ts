import { z } from "zod";
import type { StoredEvent } from "../event-store.ts";
import { eventColumns, readEvent } from "./find-events.ts";
import type { Ask } from "./query.ts";

/** An event has up to half a mebibyte, and most have 2 kB. */
const chunkEventsMax = 500;
/** Ids that are looked at together: a question of some seconds, and of some hundred MB. */
const idsPerSearch = 2_000_000;
/** Larger searches use the disk. */
const searchBytesMax = 128 * 1_048_576;

const keySchema = z.object({ scope_id: z.string(), service: z.string(), timestamp: z.string(), id: z.string() });
const countSchema = z.object({ events: z.coerce.number() });
type Key = z.infer<typeof keySchema>;

/** Before every event: no scope has an empty name. */
const beginning: Key = { scope_id: "", service: "", timestamp: "1900-01-01 00:00:00.000", id: "" };

/**
 * Every event of one scope or of all, each id once, along the order in which they are stored: scope by scope, service by
 * service, the oldest first. What is stored meanwhile comes with the others or not at all.
 */
export async function* everyEvent(askAny: Ask, scopeId?: string): AsyncGenerator<StoredEvent[]> {
  const ask: Ask = (query, parameters) => askAny(query, { ...parameters, only: scopeId ?? "" });
  const placeOfRepeated = await repeatedIds(ask);
  let after = { ...beginning, scope_id: scopeId ?? beginning.scope_id };
  for (;;) {
    const rows = await chunkAfter(ask, after);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = keySchema.parse(last);
    const events = rows.filter((row) => {
      const key = keySchema.parse(row);
      const place = placeOfRepeated.get(idOf(key));
      return place === undefined || place === placeOf(key);
    });
    if (events.length > 0) yield events.map(readEvent);
  }
}

/** Of the scope asked for; without one, of all. */
const inScope = "({only:String} = '' OR scope_id = {only:String})";

/**
 * Where to take ids from that lie in several places, each from where it came first: a client sent one again with another
 * time or service, or it is dated by its receipt. They are few.
 */
async function repeatedIds(ask: Ask): Promise<Map<string, string>> {
  const [row] = await ask(`SELECT count() AS events FROM {database:Identifier}.events WHERE ${inScope}`, {});
  const parts = Math.ceil(countSchema.parse(row).events / idsPerSearch);
  const places = new Map<string, string>();
  for (let part = 0; part < parts; part++) {
    const rows = await ask(
      `SELECT scope_id, id, place.1 AS service, toString(place.2) AS timestamp
       FROM (
         SELECT scope_id, id, argMin((service, timestamp), received_at) AS place,
           min((service, timestamp)) AS first_place, max((service, timestamp)) AS last_place
         FROM {database:Identifier}.events WHERE ${inScope} AND cityHash64(id) % {parts:UInt32} = {part:UInt32}
         GROUP BY scope_id, id
       )
       WHERE first_place != last_place
       SETTINGS max_bytes_before_external_group_by = ${searchBytesMax}`,
      { parts, part },
    );
    for (const key of rows.map((row) => keySchema.parse(row))) places.set(idOf(key), placeOf(key));
  }
  return places;
}

/** Sorts keys first and reads bodies last, as every question does. */
function chunkAfter(ask: Ask, after: Key): Promise<readonly unknown[]> {
  const columns = "scope_id, service, timestamp, id";
  // The tuples say it alone; the engine finds its way along the key only with the first conditions spelt out.
  return ask(
    `SELECT scope_id, service, toString(event.timestamp) AS timestamp, id, ${eventColumns}
     FROM {database:Identifier}.events AS event
     WHERE (scope_id, service, event.timestamp, id) GLOBAL IN (
       SELECT ${columns} FROM {database:Identifier}.events
       WHERE ${inScope} AND (scope_id > {scope_id:String} OR (scope_id = {scope_id:String} AND (
           service > {service:String} OR (service = {service:String} AND timestamp >= {timestamp:DateTime64(3, 'UTC')}))))
         AND (${columns}) > (
           {scope_id:String}, {service:String}, {timestamp:DateTime64(3, 'UTC')}, {id:String})
       ORDER BY ${columns} LIMIT 1 BY ${columns} LIMIT ${chunkEventsMax}
     )
     ORDER BY scope_id, service, event.timestamp, id, received_at LIMIT 1 BY scope_id, service, event.timestamp, id`,
    after,
  );
}

function idOf({ scope_id, id }: Key): string {
  return JSON.stringify([scope_id, id]);
}

function placeOf({ service, timestamp }: Key): string {
  return JSON.stringify([service, timestamp]);
}
