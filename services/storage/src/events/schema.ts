/** Bounds of the lists in {@link FailureTotals}: an impact names some, it need not name a million. */
export const namesPerFailureMax = 100;

/**
 * The tables, in order; each statement may be run again and again.
 *
 * `events` keeps an event whole in `payload` and beside it what questions filter by. `timestamp` is when it happened as
 * far as it can be believed (`to-row.ts`), which bounds the partitions; retention counts from `received_at`, so that a
 * client with a wrong clock loses nothing. The rollup is filled by a materialized view, once per insert and so before
 * duplicates are merged away: it keeps sets of ids, never counts.
 */
export function schemaStatements(retentionDays: number): readonly string[] {
  return [
    "CREATE DATABASE IF NOT EXISTS whence",
    `CREATE TABLE IF NOT EXISTS whence.events (
      scope_id LowCardinality(String),
      service LowCardinality(String),
      timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
      id String CODEC(ZSTD(1)),
      received_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
      env LowCardinality(String),
      release LowCardinality(String),
      type LowCardinality(String),
      level LowCardinality(String),
      instance String CODEC(ZSTD(1)),
      host LowCardinality(String),
      route LowCardinality(String),
      fingerprint LowCardinality(String),
      trace_id String CODEC(ZSTD(1)),
      payload String CODEC(ZSTD(3)),
      INDEX id_index id TYPE bloom_filter(0.01) GRANULARITY 1,
      INDEX trace_index trace_id TYPE bloom_filter(0.01) GRANULARITY 1
    )
    ENGINE = ReplacingMergeTree
    PARTITION BY toYYYYMMDD(timestamp)
    ORDER BY (scope_id, service, timestamp, id)
    TTL ${retention("received_at", retentionDays)}
    SETTINGS ${tableSettings}`,
    `CREATE TABLE IF NOT EXISTS whence.failure_minutes (
      scope_id LowCardinality(String),
      fingerprint String,
      minute DateTime('UTC'),
      received_at SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
      events AggregateFunction(uniqExact, String),
      first_seen SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
      last_seen SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
      services AggregateFunction(groupUniqArray(${namesPerFailureMax}), String),
      routes AggregateFunction(groupUniqArray(${namesPerFailureMax}), String),
      hosts AggregateFunction(groupUniqArray(${namesPerFailureMax}), String),
      releases AggregateFunction(groupUniqArray(${namesPerFailureMax}), String)
    )
    ENGINE = AggregatingMergeTree
    PARTITION BY toYYYYMM(minute)
    ORDER BY (scope_id, fingerprint, minute)
    TTL ${retention("received_at", retentionDays)}
    SETTINGS ${tableSettings}`,
    `CREATE MATERIALIZED VIEW IF NOT EXISTS whence.failure_minutes_view TO whence.failure_minutes AS
    SELECT
      scope_id,
      fingerprint,
      toStartOfMinute(timestamp) AS minute,
      max(events.received_at) AS received_at,
      uniqExactState(id) AS events,
      min(timestamp) AS first_seen,
      max(timestamp) AS last_seen,
      groupUniqArrayState(${namesPerFailureMax})(toString(service)) AS services,
      groupUniqArrayState(${namesPerFailureMax})(toString(route)) AS routes,
      groupUniqArrayState(${namesPerFailureMax})(toString(host)) AS hosts,
      groupUniqArrayState(${namesPerFailureMax})(toString(release)) AS releases
    FROM whence.events
    WHERE fingerprint != ''
    GROUP BY scope_id, fingerprint, minute`,
  ];
}

/** The tables whose TTL follows the retention. */
export const retainedTables = ["events", "failure_minutes"] as const;

/** The TTL expression, as it is also read back from a table. */
export function retention(column: string, days: number): string {
  return `toDateTime(${column}) + toIntervalDay(${days})`;
}

/** A part on disk is whole or absent after a power cut too: the writer acknowledges what it stored. */
const tableSettings = "fsync_after_insert = 1, fsync_part_directory = 1";
