import { randomUUID } from "node:crypto";
import { dayMs, hourMs, type TelemetryEvent } from "@whence/protocol";
import type { EventStore, StoredEvent } from "@whence/storage";
import type { Session } from "chdb";

/** The organization whose failure is investigated, and another with an equally large service of the same name. */
export const scopeId = "org_bench";
const otherScopeId = "org_other";
export const fingerprint = "v1:00000000000000a5";
/** All events are within a day: the densest case, since queries are limited by time. */
const rowsPerInsert = 1_000_000;
const askedEvents = 4_000;
/** Each request is three events of 20 kB. */
const requestsPerInsert = 250;

/** The scope and time of bulk rows, as SQL over `number`. */
interface Bulk {
  readonly scopeId: string;
  readonly rows: number;
  readonly endMs: number;
}

/**
 * Fills a store with `rows` events of one day. Nine in ten belong to the organization, in five services of 400
 * processes each; six in ten are heartbeats, the others failures of 200 kinds and plain log records. Adds the
 * investigated failure, realistic in full: with its trace, its outgoing calls, and the failures of two more services.
 */
export async function fill(store: EventStore, engine: Session, rows: number, endMs: number): Promise<StoredEvent> {
  for (const [scope, share] of [
    [scopeId, 0.9],
    [otherScopeId, 0.1],
  ] as const)
    insertBulk(engine, { scopeId: scope, rows: rows * share, endMs });
  const asked = Array.from({ length: askedEvents }, (_, index) =>
    requestThatFailed(endMs - 2 * hourMs + (index * 2 * hourMs) / askedEvents, index),
  );
  for (let from = 0; from < asked.length; from += requestsPerInsert) {
    await store.insert(asked.slice(from, from + requestsPerInsert).flat());
  }
  const last = asked.at(-1)?.[0];
  if (!last) throw new Error("nothing was asked about");
  return last;
}

function insertBulk(engine: Session, bulk: Bulk): void {
  for (let from = 0; from < bulk.rows; from += rowsPerInsert) {
    const rows = Math.min(rowsPerInsert, bulk.rows - from);
    engine.query(`INSERT INTO whence.events (${columns.join(", ")}) ${rowsOf(bulk, from, rows)}
      SETTINGS max_insert_threads = 1, max_partitions_per_insert_block = 0`);
  }
}

const columns = [
  ...["scope_id", "service", "timestamp", "id", "received_at", "env", "release", "type", "level", "instance", "host"],
  ...["route", "fingerprint", "trace_id", "payload", "seq", "dropped", "retention_days"],
];

/** Returns rows with small bodies: queries read only their columns and, from heartbeats, the vitals. */
function rowsOf({ scopeId: scope, rows: all, endMs }: Bulk, from: number, rows: number): string {
  const at = `fromUnixTimestamp64Milli(toInt64(${endMs - dayMs} + intDiv(number * ${dayMs}, ${Math.ceil(all)})), 'UTC')`;
  return `SELECT '${scope}', service, at, id, at, 'PROD', release, type, if(type = 'heartbeat', 'info', 'error'), instance,
      host, if(type = 'heartbeat', '', concat('/api/', toString(pick % 12), '/:id')), fingerprint,
      if(type = 'heartbeat', '', hex(cityHash64(number))), payload, number + 1, [], 0
    FROM (
      SELECT number, ${at} AS at, cityHash64(number, '${scope}') AS pick, pick % 2000 AS process, toString(generateUUIDv4(number)) AS id,
        ['orders', 'payments', 'storefront', 'stock', 'mail'][process % 5 + 1] AS service,
        if(at >= toDateTime64(${(endMs - 8 * hourMs) / 1_000}, 3, 'UTC'), '2.1.0', '2.0.0') AS release,
        concat('i-', toString(process), '-', release) AS instance, concat('host-', toString(process % 100)) AS host,
        multiIf(intDiv(pick, 4000) % 10 < 6, 'heartbeat', intDiv(pick, 4000) % 10 < 9, 'exception', 'log') AS type,
        if(type = 'exception', concat('v1:', leftPad(toString(intDiv(pick, 100000) % 200), 16, '0')), '') AS fingerprint,
        if(type = 'heartbeat', concat('{"host":{"runtime":{"name":"node","version":"24.1.0"}},"event":{"attributes":{"heap_used_bytes":',
          toString(60000000 + pick % 20000000), ',"heap_limit_bytes":4345298944,"rss_bytes":150000000,"event_loop_delay_ms":',
          toString(pick % 20), ',"uptime_seconds":3600,"requests":', toString(pick % 500), ',"failed_requests":',
          toString(pick % 3), '}}}'),
          concat('{"host":{"runtime":{"name":"node","version":"24.1.0"}},"event":{"message":"it failed","request":{"method":"GET","path":"/api/',
          toString(pick % 1000), '","headers":{"host":"', service, ':8080","user-agent":"agent/1"}},"breadcrumbs":[]}}')) AS payload
      FROM numbers(${from}, ${rows})
    )`;
}

/**
 * Returns a request to the storefront that fails, because orders fails, because payments does; the trace's last event
 * comes first.
 */
function requestThatFailed(at: number, index: number): StoredEvent[] {
  const trace = { trace_id: randomUUID().replaceAll("-", ""), span_id: "00f067aa0ba902b7" };
  const failed = (service: string, url: string | null, more: Partial<StoredEvent>): StoredEvent => {
    const timestamp = new Date(at).toISOString();
    const call = url === null ? [] : [crumb(at - 5, url, 502)];
    const event: TelemetryEvent = {
      ...{ id: randomUUID(), seq: index + 1, type: "exception", timestamp, level: "error", trace },
      ...{ message: `Error: ${service} failed`, mechanism: { type: "express", handled: true } },
      exceptions: [{ type: "Error", message: `${service} failed`, stack: stackOf(service), frames: framesOf(service) }],
      breadcrumbs: [
        ...Array.from({ length: 10 }, (_, before) =>
          crumb(at - 400 + before * 20, `http://stock:8080/items/${before}`, 200),
        ),
        ...call,
      ],
      request: {
        method: "POST",
        path: `/${service}/${index}`,
        route: `/${service}/:id`,
        headers: { host: `${service}:8080`, "user-agent": "agent/1" },
      },
    };
    return {
      ...{
        scopeId,
        event,
        service,
        env: "PROD",
        release: "2.1.0",
        receivedAt: timestamp,
        instance: `i-${index % 400}-2.1.0`,
      },
      host: {
        name: `host-${index % 100}`,
        pid: 1,
        runtime: { name: "node", version: "24.1.0" },
        os: "linux",
        arch: "x64",
      },
      sdk: { name: "@whence/node", version: "0.0.0" },
      fingerprint: `v1:${service.padStart(16, "0")}`,
      ...more,
    };
  };
  return [
    failed("storefront", "http://orders:8080/orders", { fingerprint }),
    failed("orders", "http://payments:8080/payments", {}),
    failed("payments", null, {}),
  ];
}

function crumb(at: number, url: string, status_code: number) {
  const data = { method: "POST", url, status_code, duration_ms: 12.5 };
  return { timestamp: new Date(at).toISOString(), category: "http", level: "info" as const, data };
}

function framesOf(service: string) {
  return Array.from({ length: 12 }, (_, index) => ({
    ...{
      file: `/srv/${service}/src/part-${index}.js`,
      function: `step${index}`,
      line: 10 + index,
      column: 5,
      in_app: index < 4,
    },
    context: {
      start_line: 1,
      lines: Array.from(
        { length: 20 },
        (_line, line) => `  const value${line} = await read(${index}, input, options);`,
      ),
    },
  }));
}

function stackOf(service: string): string {
  const lines = framesOf(service).map(
    ({ file, function: name, line, column }) => `    at ${name} (${file}:${line}:${column})`,
  );
  return [`Error: ${service} failed`, ...lines].join("\n");
}
