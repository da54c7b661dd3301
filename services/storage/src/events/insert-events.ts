import { randomUUID } from "node:crypto";
import type { ClickHouseConnection, Rows } from "./clickhouse-connection.ts";
import type { PreparedEvents, StoredEvent, StoredLosses } from "./event-store.ts";
import { measureColumns, toMeasureRow } from "./measure-rows.ts";
import type { StoredMeasure } from "./measures.ts";
import { readingColumns, toReadingRow } from "./reading-rows.ts";
import type { StoredReading } from "./readings.ts";
import { sessionsColumns, toSessionsRow } from "./session-rows.ts";
import type { StoredSessions } from "./sessions.ts";
import { spanColumns, toSpanRow } from "./span-rows.ts";
import type { StoredSpan } from "./spans.ts";
import { lossesColumns, rowColumns, toLossesRow, toRows } from "./to-row.ts";

export function prepareEvents(events: readonly StoredEvent[]): PreparedEvents {
  return { count: events.length, rows: lines(toRows(events)) };
}

/** Stores events as one insert. The same parts again, after an answer got lost, do no harm. */
export async function insertEvents(
  connection: ClickHouseConnection,
  database: string,
  parts: readonly PreparedEvents[],
): Promise<void> {
  const filled = parts.filter(({ count }) => count > 0);
  if (filled.length === 0) return;
  await insert(
    connection,
    { database, table: "events", columns: rowColumns },
    filled.map(({ rows }) => rows),
  );
}

/** Stores losses that came without an event, likewise. */
export async function insertLosses(
  connection: ClickHouseConnection,
  database: string,
  losses: readonly StoredLosses[],
): Promise<void> {
  await insertRows(connection, { database, table: "losses", columns: lossesColumns }, losses.map(toLossesRow));
}

/** Stores spans; a repeated one replaces itself. */
export async function insertSpans(
  connection: ClickHouseConnection,
  database: string,
  spans: readonly StoredSpan[],
): Promise<void> {
  await insertRows(connection, { database, table: "spans", columns: spanColumns }, spans.map(toSpanRow));
}

/** Stores readings of processes beside those of heartbeats; a repeated one replaces itself. */
export async function insertReadings(
  connection: ClickHouseConnection,
  database: string,
  readings: readonly StoredReading[],
): Promise<void> {
  await insertRows(connection, { database, table: "vitals", columns: readingColumns }, readings.map(toReadingRow));
}

/** Stores measures; a repeated one, or another of the same series and minute, replaces it. */
export async function insertMeasures(
  connection: ClickHouseConnection,
  database: string,
  measures: readonly StoredMeasure[],
): Promise<void> {
  await insertRows(connection, { database, table: "measures", columns: measureColumns }, measures.map(toMeasureRow));
}

/** Sessions of one insert, unless one row has more: each takes 40 bytes of ClickHouse's memory while it is counted. */
const sessionsPerInsertMax = 500_000;

/** Counts sessions; those with the same ID count once. */
export async function insertSessions(
  connection: ClickHouseConnection,
  database: string,
  sessions: readonly StoredSessions[],
): Promise<void> {
  const into = { database, table: "sessions", columns: sessionsColumns };
  for (const some of bySize(sessions)) await insertRows(connection, into, some.map(toSessionsRow));
}

function bySize(sessions: readonly StoredSessions[]): readonly (readonly StoredSessions[])[] {
  const groups: StoredSessions[][] = [];
  let count = 0;
  for (const one of sessions) {
    count += one.sessions;
    const last = groups.at(-1);
    if (last && count <= sessionsPerInsertMax) {
      last.push(one);
    } else {
      groups.push([one]);
      count = one.sessions;
    }
  }
  return groups;
}

type Target = Pick<Rows, "database" | "table" | "columns">;

async function insertRows(connection: ClickHouseConnection, into: Target, rows: readonly string[]): Promise<void> {
  if (rows.length > 0) await insert(connection, into, [lines(rows)]);
}

function insert(connection: ClickHouseConnection, into: Target, text: readonly Buffer[]): Promise<void> {
  return connection.insert({ ...into, text, settings: insertSettings() });
}

function lines(rows: readonly string[]): Buffer {
  return Buffer.from(`${rows.join("\n")}\n`);
}

function insertSettings(): Record<string, string | number> {
  return {
    // Resolved means stored, not buffered.
    async_insert: 0,
    // Rows of one batch may be days apart; `toRows` bounds how many.
    max_partitions_per_insert_block: 0,
    // The batch is small: a second thread costs memory and wins nothing.
    input_format_parallel_parsing: 0,
    // No two attempts look alike to the engine, so that it leaves none out as a repetition. It notes a token before the
    // rows are there: killed in between, it would drop the retry of what it does not have. That of what it has does no
    // harm: events and heartbeats replace themselves, and rollups are sets (`schema/tables.ts`).
    insert_deduplication_token: randomUUID(),
  };
}
