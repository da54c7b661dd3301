import { namesPerFailureMax, reportsPerInstanceMax } from "./tables.ts";

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

/** So many different IDs of sessions that were reported together. Each takes 40 bytes, so the text isn't among them. */
const sessionIds = (count: string): string =>
  `uniqCombinedArrayState(14)(arrayMap(number -> intHash64(cityHash64(event.id) + number), range(${count})))`;

const sessionHoursView: ViewDescription = {
  name: "session_hours_view",
  from: "sessions",
  to: "session_hours",
  columns: {
    ...Object.fromEntries(["scope_id", "service", "env", "release"].map((column) => [column, `event.${column}`])),
    hour: "toStartOfHour(event.timestamp)",
    received_at: "max(event.received_at)",
    sessions: sessionIds("event.sessions"),
    crashed: sessionIds("event.crashed"),
    ...filledRetention,
    uncaught: sessionIds("event.crashed + event.unhandled"),
  },
  where: undefined,
  groupBy: ["scope_id", "service", "env", "release", "hour"],
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

/** All views. */
export const views: readonly ViewDescription[] = [
  failureMinutesView,
  deliveriesView,
  lossesView,
  vitalsView,
  sessionHoursView,
];
