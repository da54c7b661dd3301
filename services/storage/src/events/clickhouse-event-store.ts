import { storageErrors } from "../errors.ts";
import type { ClickHouseConnection } from "./clickhouse-connection.ts";
import { clickHouseTime } from "./clickhouse-time.ts";
import type { EventStore, ScopedEvents } from "./event-store.ts";
import {
  insertEvents,
  insertLosses,
  insertMeasures,
  insertReadings,
  insertSessions,
  insertSpans,
  prepareEvents,
} from "./insert-events.ts";
import { askInTurn } from "./queries/ask-in-turn.ts";
import { deliveries } from "./queries/deliveries.ts";
import { everyEvent } from "./queries/every-event.ts";
import { failureByMinute } from "./queries/failure-by-minute.ts";
import { failurePlaces } from "./queries/failure-places.ts";
import { failureTotals } from "./queries/failure-totals.ts";
import { failureUsers } from "./queries/failure-users.ts";
import { failuresByHour } from "./queries/failures-by-hour.ts";
import { findEvent, findEvents } from "./queries/find-events.ts";
import { firstOfFailures } from "./queries/first-of-failures.ts";
import { firstReleases } from "./queries/first-releases.ts";
import { missingByReason } from "./queries/missing.ts";
import { activeScopes, processLives } from "./queries/process-lives.ts";
import { type Ask, askThrough } from "./queries/query.ts";
import { serviceOverviews } from "./queries/service-overviews.ts";
import { serviceTelemetry } from "./queries/service-telemetry.ts";
import { surroundings } from "./queries/surroundings.ts";
import { bringUpToDate } from "./schema/bring-up-to-date.ts";
import { dropHiddenRows, hideRows, retainScope, type SchemaPlace } from "./schema/statements.ts";
import { tables } from "./schema/tables.ts";

const defaultDatabase = "whence";
const defaultRetentionDays = 30;
const checkTimeoutMs = 2_000;

/** The location of a store, and its retention. */
export interface ClickHouseEventStoreOptions {
  /** `whence` by default; created when missing. */
  readonly database?: string;
  /** A cluster that the server knows by this name: the tables are replicated and distributed over it. */
  readonly cluster?: string;
  /** How long events are kept after receipt, unless they have a retention of their own. 30 by default. */
  readonly retentionDays?: number;
}

/**
 * The event store in ClickHouse, over any connection; closed with it. Makes its tables when they are missing, and
 * brings those of an earlier version up to date.
 */
export async function openClickHouseEventStore(
  connection: ClickHouseConnection,
  { database = defaultDatabase, cluster, retentionDays = defaultRetentionDays }: ClickHouseEventStoreOptions = {},
): Promise<EventStore> {
  const { client } = connection;
  const place = { database, cluster, retentionDays };
  const askAtOnce = askThrough(client, database);
  const ask = askInTurn(askAtOnce, connection.questionsAtOnce);
  await reported("open", () => bringUpToDate(client, ask, place));
  return {
    insert: (events) =>
      reported("store events", async () => insertEvents(connection, database, [prepareEvents(events)])),
    prepare: prepareEvents,
    insertPrepared: (parts) => reported("store events", () => insertEvents(connection, database, parts)),
    insertLosses: (losses) => reported("store losses", () => insertLosses(connection, database, losses)),
    insertSpans: (spans) => reported("store spans", () => insertSpans(connection, database, spans)),
    insertReadings: (readings) => reported("store readings", () => insertReadings(connection, database, readings)),
    insertMeasures: (measures) => reported("store measures", () => insertMeasures(connection, database, measures)),
    insertSessions: (sessions) => reported("count sessions", () => insertSessions(connection, database, sessions)),
    forScope: (scopeId) => scopedEvents(connection, ask, place, scopeId),
    everything: () => everyEvent((query, parameters) => reported("read all events", () => ask(query, parameters))),
    missing: (since) => reported("count what is missing", () => missingByReason(ask, since)),
    activeScopes: (env, since) => reported("name the scopes", () => activeScopes(ask, env, since)),
    check: () =>
      reported("answer", async () => {
        await askAtOnce("SELECT 1", {}, AbortSignal.timeout(checkTimeoutMs));
      }),
    close: () => reported("close", () => connection.close()),
  };
}

function scopedEvents({ client }: ClickHouseConnection, ask: Ask, place: SchemaPlace, scopeId: string): ScopedEvents {
  const asked: Ask = (query, parameters) => reported("look around a failure", () => ask(query, parameters));
  return {
    ...surroundings(asked, scopeId),
    ...serviceTelemetry((query, parameters) => reported("look at a service", () => ask(query, parameters)), scopeId),
    event: (id) => reported("find an event", () => findEvent(ask, scopeId, id)),
    find: (filter) => reported("find events", () => findEvents(ask, scopeId, filter)),
    failure: (fingerprint, until) =>
      reported("count a failure", () => failureTotals(ask, scopeId, { fingerprint, until })),
    failureByMinute: (span) => reported("count a failure by minute", () => failureByMinute(ask, scopeId, span)),
    failuresByHour: (span) => reported("count failures by hour", () => failuresByHour(ask, scopeId, span)),
    failurePlaces: (span) => reported("count a failure by place", () => failurePlaces(ask, scopeId, span)),
    failureUsers: (span) => reported("count the users of a failure", () => failureUsers(ask, scopeId, span)),
    firstReleases: (service, from, to) =>
      reported("find releases", () => firstReleases(ask, scopeId, service, from, to)),
    firstOfFailures: (filter) =>
      reported("find the first events of failures", () => firstOfFailures(ask, scopeId, filter)),
    deliveries: (filter) => reported("account for deliveries", () => deliveries(ask, scopeId, filter)),
    processes: (filter) => reported("name the processes", () => processLives(ask, scopeId, filter)),
    services: (filter) => reported("look at services", () => serviceOverviews(ask, scopeId, filter)),
    retain: (days) =>
      reported("change a retention", async () => {
        for (const table of tables) {
          if (table.expiry === undefined) continue;
          await client.command({ query: retainScope(table, place), query_params: { scope: scopeId, days } });
        }
      }),
    erase: ({ service, receivedBefore }) =>
      reported("erase events", async () => {
        const kept = tables.filter(({ expiry }) => expiry !== undefined);
        const before = clickHouseTime(Date.parse(receivedBefore));
        const parameters = { scope: scopeId, before, ...(service === undefined ? {} : { service }) };
        for (const table of kept) {
          const query = hideRows(table, place, service !== undefined);
          await client.command({ query, query_params: parameters });
        }
        for (const table of kept) await client.command({ query: dropHiddenRows(table, place) });
      }),
    everything: () =>
      everyEvent((query, parameters) => reported("read all events", () => ask(query, parameters)), scopeId),
  };
}

async function reported<Value>(what: string, run: () => Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw storageErrors.create("WHENCE_ERR_EVENTS_UNAVAILABLE", [what, message], { cause });
  }
}
