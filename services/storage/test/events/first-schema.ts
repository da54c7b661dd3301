/** The tables as the first release made them, written down here for good: a directory of it must open. */
export const firstSchema: readonly string[] = [
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
  TTL toDateTime(received_at) + toIntervalDay(30)
  SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`,
  `CREATE TABLE IF NOT EXISTS whence.failure_minutes (
    scope_id LowCardinality(String),
    fingerprint String,
    minute DateTime('UTC'),
    received_at SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
    events AggregateFunction(uniqExact, String),
    first_seen SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
    last_seen SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
    services AggregateFunction(groupUniqArray(100), String),
    routes AggregateFunction(groupUniqArray(100), String),
    hosts AggregateFunction(groupUniqArray(100), String),
    releases AggregateFunction(groupUniqArray(100), String)
  )
  ENGINE = AggregatingMergeTree
  PARTITION BY toYYYYMM(minute)
  ORDER BY (scope_id, fingerprint, minute)
  TTL toDateTime(received_at) + toIntervalDay(30)
  SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`,
  `CREATE MATERIALIZED VIEW IF NOT EXISTS whence.failure_minutes_view TO whence.failure_minutes AS
  SELECT
    scope_id,
    fingerprint,
    toStartOfMinute(timestamp) AS minute,
    max(events.received_at) AS received_at,
    uniqExactState(id) AS events,
    min(timestamp) AS first_seen,
    max(timestamp) AS last_seen,
    groupUniqArrayState(100)(toString(service)) AS services,
    groupUniqArrayState(100)(toString(route)) AS routes,
    groupUniqArrayState(100)(toString(host)) AS hosts,
    groupUniqArrayState(100)(toString(release)) AS releases
  FROM whence.events
  WHERE fingerprint != ''
  GROUP BY scope_id, fingerprint, minute`,
];

/** The columns that it wrote. */
export const firstColumns = [
  ...["scope_id", "service", "timestamp", "id", "received_at", "env", "release", "type", "level", "instance", "host"],
  ...["route", "fingerprint", "trace_id", "payload"],
] as const;
