import { expiry, rollupExpiry, spanExpiry, vitalsExpiry } from "./retention.ts";

/** At most this many names in each list of {@link FailureTotals}. */
export const namesPerFailureMax = 100;

/**
 * Losses kept for one process: half a day of one in every batch. What is reported beyond is `unaccounted`, never
 * forgotten: the numbers are missing all the same.
 */
export const reportsPerInstanceMax = 10_000;

export interface ColumnDescription {
  readonly name: string;
  readonly type: string;
  /** What a row has that was written without it. */
  readonly default?: string;
  readonly codec?: string;
}

export interface TableDescription {
  readonly name: string;
  /** `Replacing` keeps one row of those with the same order key, `Aggregating` merges their states, `Null` keeps none. */
  readonly engine: "ReplacingMergeTree" | "AggregatingMergeTree" | "Null";
  /** Of rows that replace one another, the one that is greatest in this column stays; without it the last one. */
  readonly greatest?: string;
  readonly columns: readonly ColumnDescription[];
  readonly indexes: readonly string[];
  readonly partitionBy: string | undefined;
  readonly orderBy: readonly string[];
  /** When a row is let go of, for a service that keeps events so many days. A table without one keeps none. */
  readonly expiry: ((serviceDays: number) => string) | undefined;
  /** On a cluster: which shard a row goes to. */
  readonly shardBy: string;
}

/** A materialized view that fills `to` from inserts into `from`, whose row is `event` in the SQL. */
export interface ViewDescription {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly columns: Readonly<Record<string, string>>;
  readonly where: string | undefined;
  /** Empty: row by row. */
  readonly groupBy: readonly string[];
}

const time = "DateTime64(3, 'UTC')";
const name = "LowCardinality(String)";
const numberRanges = "Array(Tuple(from_seq UInt64, to_seq UInt64, reason String))";
const names = `AggregateFunction(groupUniqArray(${namesPerFailureMax}), String)`;
const first = `SimpleAggregateFunction(min, ${time})`;
const last = `SimpleAggregateFunction(max, ${time})`;

/**
 * Events, whole in `payload`, and beside it what questions filter by. `timestamp` is when it happened, bounded by its
 * receipt (`to-row.ts`), which bounds the partitions; retention counts from `received_at`, so that a client with a
 * wrong clock loses nothing. By hash of the id on a cluster: all copies of an event meet on one shard, where the engine
 * merges them, and a large organization is spread over all shards. A question of one scope asks every shard; each has
 * the scope's rows together in its order.
 */
const events: TableDescription = {
  name: "events",
  engine: "ReplacingMergeTree",
  greatest: "precedence",
  columns: [
    { name: "scope_id", type: name },
    { name: "service", type: name },
    { name: "timestamp", type: time, codec: "Delta, ZSTD(1)" },
    { name: "id", type: "String", codec: "ZSTD(1)" },
    { name: "received_at", type: time, codec: "Delta, ZSTD(1)" },
    { name: "env", type: name },
    { name: "release", type: name },
    { name: "type", type: name },
    { name: "level", type: name },
    { name: "instance", type: "String", codec: "ZSTD(1)" },
    { name: "host", type: name },
    { name: "route", type: name },
    { name: "fingerprint", type: name },
    { name: "trace_id", type: "String", codec: "ZSTD(1)" },
    { name: "payload", type: "String", codec: "ZSTD(3)" },
    { name: "seq", type: "UInt64", codec: "ZSTD(1)" },
    { name: "dropped", type: numberRanges, codec: "ZSTD(1)" },
    // 0: as long as the service keeps events.
    { name: "retention_days", type: "UInt32", codec: "ZSTD(1)" },
    // What failures are counted by: of their ids, which are text, counting would read four times as much.
    { name: "id_hash", type: "UInt64", default: "if(fingerprint = '', 0, cityHash64(id))" },
    // An id that comes again replaces nothing: what came first stays.
    {
      name: "precedence",
      type: "UInt64",
      codec: "Delta, ZSTD(1)",
      default: "toUInt64(9223372036854775807 - toUnixTimestamp64Milli(received_at))",
    },
  ],
  indexes: [
    "INDEX id_index id TYPE bloom_filter(0.01) GRANULARITY 1",
    "INDEX trace_index trace_id TYPE bloom_filter(0.01) GRANULARITY 1",
  ],
  partitionBy: "toYYYYMMDD(timestamp)",
  orderBy: ["scope_id", "service", "timestamp", "id"],
  expiry,
  shardBy: "cityHash64(id)",
};

/** Of events with different retentions the longest counts, so that none vanishes early from a sum. */
const rollupRetention: readonly ColumnDescription[] = [
  { name: "retention_days", type: "SimpleAggregateFunction(max, UInt32)" },
  // Whether any of the events is kept as long as the service keeps events.
  { name: "service_retention", type: "SimpleAggregateFunction(max, UInt8)" },
];

/**
 * Failures by minute. Filled once per insert and so before duplicates are merged away: sets of ids, never counts.
 * Rollups are filled by each shard from its own events and read from all: their states merge.
 */
const failureMinutes: TableDescription = {
  name: "failure_minutes",
  engine: "AggregatingMergeTree",
  columns: [
    { name: "scope_id", type: name },
    { name: "fingerprint", type: "String" },
    { name: "minute", type: "DateTime('UTC')" },
    { name: "received_at", type: last },
    { name: "events", type: "AggregateFunction(uniqExact, String)" },
    { name: "first_seen", type: first },
    { name: "last_seen", type: last },
    { name: "services", type: names },
    { name: "routes", type: names },
    { name: "hosts", type: names },
    { name: "releases", type: names },
    ...rollupRetention,
  ],
  indexes: [],
  partitionBy: "toYYYYMM(minute)",
  orderBy: ["scope_id", "fingerprint", "minute"],
  expiry: rollupExpiry,
  shardBy: "cityHash64(fingerprint)",
};

/** What each process's life sent, as sets of sequence numbers: a redelivered event changes nothing. */
const deliveries: TableDescription = {
  name: "deliveries",
  engine: "AggregatingMergeTree",
  columns: [
    { name: "scope_id", type: name },
    { name: "service", type: name },
    { name: "instance", type: "String" },
    { name: "env", type: name },
    { name: "host", type: name },
    { name: "first_received_at", type: first },
    { name: "received_at", type: last },
    { name: "numbers", type: "AggregateFunction(groupBitmap, UInt64)" },
    { name: "last_seq", type: "SimpleAggregateFunction(max, UInt64)" },
    { name: "ended", type: "SimpleAggregateFunction(max, UInt8)" },
    { name: "reported", type: `AggregateFunction(groupUniqArrayArray(${reportsPerInstanceMax}), ${numberRanges})` },
    ...rollupRetention,
    // When it started, by the uptime in its heartbeats and the service's clock; where it has none, when it was first heard.
    { name: "started_at", type: first, default: "first_received_at" },
    // A life has one release.
    { name: "release", type: "SimpleAggregateFunction(max, String)" },
  ],
  indexes: [],
  // A process may live for months: one row each, wherever it is.
  partitionBy: undefined,
  orderBy: ["scope_id", "service", "instance", "env", "host"],
  expiry: rollupExpiry,
  shardBy: "cityHash64(instance)",
};

/**
 * How processes were, by heartbeat, or by the minute as other clients report it: small rows, so that hours of a large
 * service are read without its events. A heartbeat that comes again is the same row.
 */
const vitals: TableDescription = {
  name: "vitals",
  engine: "ReplacingMergeTree",
  columns: [
    { name: "scope_id", type: name },
    { name: "service", type: name },
    { name: "timestamp", type: time, codec: "Delta, ZSTD(1)" },
    { name: "instance", type: "String", codec: "ZSTD(1)" },
    { name: "received_at", type: time, codec: "Delta, ZSTD(1)" },
    { name: "env", type: name },
    { name: "release", type: name },
    { name: "host", type: name },
    { name: "runtime", type: name },
    { name: "heap_used", type: "Float64", codec: "ZSTD(1)" },
    { name: "heap_limit", type: "Float64", codec: "ZSTD(1)" },
    { name: "rss", type: "Float64", codec: "ZSTD(1)" },
    { name: "loop_delay_ms", type: "Float64", codec: "ZSTD(1)" },
    { name: "uptime_s", type: "Float64", codec: "ZSTD(1)" },
    { name: "retention_days", type: "UInt32", codec: "ZSTD(1)" },
    { name: "requests", type: "Float64", codec: "ZSTD(1)" },
    { name: "failed_requests", type: "Float64", codec: "ZSTD(1)" },
    { name: "spool_folder", type: name },
    { name: "spool_off", type: name },
    // 1 for what isn't a heartbeat's, which is kept for days, however long events are.
    { name: "is_reading", type: "UInt8", codec: "ZSTD(1)" },
    { name: "cpu", type: "Float64", codec: "ZSTD(1)" },
    { name: "pool", type: name },
    { name: "pool_used", type: "Float64", codec: "ZSTD(1)" },
    { name: "pool_max", type: "Float64", codec: "ZSTD(1)" },
    { name: "pool_waiting", type: "Float64", codec: "ZSTD(1)" },
  ],
  indexes: [],
  partitionBy: "toYYYYMMDD(timestamp)",
  orderBy: ["scope_id", "service", "timestamp", "instance"],
  expiry: vitalsExpiry,
  shardBy: "cityHash64(instance)",
};

/** Losses that came without an event: nothing of their own to keep, only a part of the account. */
const losses: TableDescription = {
  name: "losses",
  engine: "Null",
  columns: [
    { name: "scope_id", type: name },
    { name: "service", type: name },
    { name: "instance", type: "String" },
    { name: "env", type: name },
    { name: "host", type: name },
    { name: "received_at", type: time },
    { name: "dropped", type: numberRanges },
    { name: "retention_days", type: "UInt32" },
  ],
  indexes: [],
  partitionBy: undefined,
  orderBy: [],
  expiry: undefined,
  shardBy: "cityHash64(instance)",
};

/**
 * Steps of traces. Ordered by trace, since that is what is asked for most. Kept for days, however long events are:
 * they say what happened around a failure while it is investigated.
 */
const spans: TableDescription = {
  name: "spans",
  engine: "ReplacingMergeTree",
  columns: [
    { name: "scope_id", type: name },
    { name: "trace_id", type: "String", codec: "ZSTD(1)" },
    { name: "span_id", type: "String", codec: "ZSTD(1)" },
    { name: "parent_id", type: "String", codec: "ZSTD(1)" },
    { name: "timestamp", type: time, codec: "Delta, ZSTD(1)" },
    { name: "received_at", type: time, codec: "Delta, ZSTD(1)" },
    ...["service", "env", "release"].map((column) => ({ name: column, type: name })),
    { name: "instance", type: "String", codec: "ZSTD(1)" },
    ...["host", "kind", "name", "category", "method"].map((column) => ({ name: column, type: name })),
    { name: "target", type: "String", codec: "ZSTD(1)" },
    { name: "peer", type: name },
    { name: "duration_ms", type: "Float64", codec: "ZSTD(1)" },
    { name: "status_code", type: "UInt16", codec: "ZSTD(1)" },
    { name: "failed", type: "UInt8", codec: "ZSTD(1)" },
    { name: "error", type: "String", codec: "ZSTD(1)" },
    { name: "weight", type: "UInt16", codec: "ZSTD(1)" },
    { name: "retention_days", type: "UInt32", codec: "ZSTD(1)" },
  ],
  indexes: ["INDEX time_index timestamp TYPE minmax GRANULARITY 1"],
  partitionBy: "toYYYYMMDD(timestamp)",
  orderBy: ["scope_id", "trace_id", "span_id"],
  expiry: spanExpiry,
  // Whole traces are together.
  shardBy: "cityHash64(trace_id)",
};

const filledRetention = {
  retention_days: "max(event.retention_days)",
  service_retention: "max(toUInt8(event.retention_days = 0))",
};

const namesOf = (column: string): string => `groupUniqArrayState(${namesPerFailureMax})(toString(event.${column}))`;

const failureMinutesView: ViewDescription = {
  name: "failure_minutes_view",
  from: "events",
  to: "failure_minutes",
  columns: {
    scope_id: "event.scope_id",
    fingerprint: "event.fingerprint",
    minute: "toStartOfMinute(event.timestamp)",
    received_at: "max(event.received_at)",
    events: "uniqExactState(event.id)",
    first_seen: "min(event.timestamp)",
    last_seen: "max(event.timestamp)",
    services: namesOf("service"),
    routes: namesOf("route"),
    hosts: namesOf("host"),
    releases: namesOf("release"),
    ...filledRetention,
  },
  where: "event.fingerprint != ''",
  groupBy: ["scope_id", "fingerprint", "minute"],
};

const accountKey = ["scope_id", "service", "instance", "env", "host"] as const;

const filledAccount = {
  ...Object.fromEntries(accountKey.map((column) => [column, `event.${column}`])),
  first_received_at: "min(event.received_at)",
  started_at: "min(event.received_at)",
  received_at: "max(event.received_at)",
  reported: `groupUniqArrayArrayState(${reportsPerInstanceMax})(event.dropped)`,
  ...filledRetention,
};

/** A number that the client gave, 0 without one. */
const vital = (attribute: string): string =>
  `ifNotFinite(JSONExtractFloat(event.payload, 'event', 'attributes', '${attribute}'), 0)`;
/** No process is taken to have run for longer before it was first heard: the number comes from the client. */
const uptimeSecondsMax = 30 * 86_400;
const uptimeMs = `toUInt64(1000 * if(event.type = 'heartbeat', least(greatest(${vital("uptime_seconds")}, 0), ${uptimeSecondsMax}), 0))`;

const lastLost = "arrayMax(arrayPushBack(arrayMap(lost -> lost.2, event.dropped), toUInt64(0)))";

const deliveriesView: ViewDescription = {
  name: "deliveries_view",
  from: "events",
  to: "deliveries",
  columns: {
    ...filledAccount,
    numbers: "groupBitmapState(event.seq)",
    last_seq: `max(greatest(event.seq, ${lastLost}))`,
    ended: "max(toUInt8(event.type = 'exit'))",
    release: "max(toString(event.release))",
    started_at: `min(event.received_at - toIntervalMillisecond(${uptimeMs}))`,
  },
  where: undefined,
  groupBy: accountKey,
};

const lossesView: ViewDescription = {
  name: "losses_view",
  from: "losses",
  to: "deliveries",
  columns: {
    ...filledAccount,
    numbers: "groupBitmapStateIf(toUInt64(0), 0)",
    last_seq: `max(${lastLost})`,
    ended: "toUInt8(0)",
  },
  where: undefined,
  groupBy: accountKey,
};

/** A text that the client gave, empty without one. */
const said = (attribute: string): string => `JSONExtractString(event.payload, 'event', 'attributes', '${attribute}')`;
const runtime = (part: string): string => `JSONExtractString(event.payload, 'host', 'runtime', '${part}')`;

const vitalsView: ViewDescription = {
  name: "vitals_view",
  from: "events",
  to: "vitals",
  columns: {
    ...Object.fromEntries(
      ["scope_id", "service", "timestamp", "instance", "received_at", "env", "release", "host", "retention_days"].map(
        (column) => [column, `event.${column}`],
      ),
    ),
    runtime: `trim(concat(${runtime("name")}, ' ', ${runtime("version")}))`,
    heap_used: vital("heap_used_bytes"),
    heap_limit: vital("heap_limit_bytes"),
    rss: vital("rss_bytes"),
    loop_delay_ms: vital("event_loop_delay_ms"),
    uptime_s: vital("uptime_seconds"),
    requests: vital("requests"),
    failed_requests: vital("failed_requests"),
    spool_folder: said("spool_folder"),
    spool_off: said("spool_off"),
    is_reading: "toUInt8(0)",
  },
  where: "event.type = 'heartbeat'",
  groupBy: [],
};

/** All tables, in the order of their creation. */
export const tables: readonly TableDescription[] = [events, failureMinutes, deliveries, losses, vitals, spans];
export const views: readonly ViewDescription[] = [failureMinutesView, deliveriesView, lossesView, vitalsView];
