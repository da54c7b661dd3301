import { expiry, measureExpiry, rollupExpiry, spanExpiry, vitalsExpiry } from "./retention.ts";

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
  /**
   * The time at which a row expires, for a service that keeps events this many days; undefined for a table that keeps
   * no rows.
   */
  readonly expiry: ((serviceDays: number) => string) | undefined;
  /** On a cluster: which shard a row goes to. */
  readonly shardBy: string;
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

/** The longest of several retentions counts, so that no event disappears early from a sum. */
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

/** Sessions as they are reported: nothing of their own to keep, only a part of the counts. */
const sessions: TableDescription = {
  name: "sessions",
  engine: "Null",
  columns: [
    ...["scope_id", "service", "env", "release"].map((column) => ({ name: column, type: name })),
    { name: "timestamp", type: time },
    { name: "received_at", type: time },
    { name: "id", type: "String" },
    { name: "sessions", type: "UInt32" },
    { name: "crashed", type: "UInt32" },
    { name: "retention_days", type: "UInt32" },
    { name: "unhandled", type: "UInt32" },
  ],
  indexes: [],
  partitionBy: undefined,
  orderBy: [],
  expiry: undefined,
  shardBy: "cityHash64(service)",
};

/** Different sessions, in a sketch of 12 kB at most that is exact for few and within 1% for many. */
const sessionSketch = "uniqCombined(14)";

/**
 * How many sessions began in an hour, how many of them crashed, and how many either crashed or went on after an error
 * that nothing caught: sketches of their IDs, never a row a session. A session that did both is among both.
 */
const sessionHours: TableDescription = {
  name: "session_hours",
  engine: "AggregatingMergeTree",
  columns: [
    ...["scope_id", "service", "env", "release"].map((column) => ({ name: column, type: name })),
    { name: "hour", type: "DateTime('UTC')" },
    { name: "received_at", type: last },
    { name: "sessions", type: `AggregateFunction(${sessionSketch}, UInt64)` },
    { name: "crashed", type: `AggregateFunction(${sessionSketch}, UInt64)` },
    ...rollupRetention,
    { name: "uncaught", type: `AggregateFunction(${sessionSketch}, UInt64)` },
  ],
  indexes: [],
  partitionBy: "toYYYYMM(hour)",
  orderBy: ["scope_id", "service", "env", "hour", "release"],
  expiry: rollupExpiry,
  shardBy: "cityHash64(service)",
};

/**
 * What metrics count, a row for each series and minute, as it was exported: counts since a start aren't compared where
 * they come in, since any gateway may get the next one, but where they are read.
 */
const measures: TableDescription = {
  name: "measures",
  engine: "ReplacingMergeTree",
  greatest: "measured_at",
  columns: [
    { name: "scope_id", type: name },
    { name: "service", type: name },
    { name: "kind", type: name },
    { name: "name", type: name },
    { name: "timestamp", type: time, codec: "Delta, ZSTD(1)" },
    { name: "instance", type: "String", codec: "ZSTD(1)" },
    { name: "series", type: "String", codec: "ZSTD(1)" },
    { name: "since", type: time, codec: "Delta, ZSTD(1)" },
    { name: "counting", type: name },
    { name: "measured_at", type: time, codec: "Delta, ZSTD(1)" },
    { name: "received_at", type: time, codec: "Delta, ZSTD(1)" },
    ...["env", "release", "host"].map((column) => ({ name: column, type: name })),
    { name: "failed", type: "UInt8", codec: "ZSTD(1)" },
    { name: "value", type: "Float64", codec: "ZSTD(1)" },
    { name: "retention_days", type: "UInt32", codec: "ZSTD(1)" },
  ],
  indexes: [],
  partitionBy: "toYYYYMMDD(timestamp)",
  orderBy: ["scope_id", "service", "kind", "timestamp", "instance", "name", "series", "since", "counting", "env"],
  expiry: measureExpiry,
  // All of a series meet on one shard.
  shardBy: "cityHash64(instance)",
};

/** All tables, in the order of their creation. */
export const tables: readonly TableDescription[] = [
  events,
  failureMinutes,
  deliveries,
  losses,
  vitals,
  spans,
  measures,
  sessions,
  sessionHours,
];
