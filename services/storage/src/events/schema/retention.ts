const secondsPerDay = 86_400;
/** The last moment of a DateTime, 2106-02-07: the engine drops at once what would be kept beyond it. */
const latestSecond = 4_294_967_295;

/** The TTL expression of an event, over `received_at` and `retention_days`. */
export function expiry(serviceDays: number): string {
  return receivedAnd(`if(retention_days = 0, ${serviceDays}, retention_days)`);
}

/** The TTL expression of a row that aggregates events: it expires with the last of them. */
export function rollupExpiry(serviceDays: number): string {
  return receivedAnd(`greatest(retention_days, if(service_retention = 1, ${serviceDays}, 0))`);
}

/** How long spans are kept, in days. */
const spanDaysMax = 2;
/** How long the state of processes that is no heartbeat's, and measures are kept, in days. */
const readingDaysMax = 2;

/** The TTL expression of a span, over `received_at` and `retention_days`. */
export function spanExpiry(serviceDays: number): string {
  return receivedAnd(`least(${spanDaysMax}, if(retention_days = 0, ${serviceDays}, retention_days))`);
}

/** The TTL expression of a measure, over `received_at` and `retention_days`. */
export function measureExpiry(serviceDays: number): string {
  return receivedAnd(`least(${readingDaysMax}, if(retention_days = 0, ${serviceDays}, retention_days))`);
}

/** The TTL expression of the state of a process, over `received_at`, `retention_days`, and `is_reading`. */
export function vitalsExpiry(serviceDays: number): string {
  const days = `if(retention_days = 0, ${serviceDays}, retention_days)`;
  return receivedAnd(`if(is_reading = 1, least(${readingDaysMax}, ${days}), ${days})`);
}

function receivedAnd(days: string): string {
  const received = "greatest(intDiv(toUnixTimestamp64Milli(received_at), 1000), 0)";
  return `toDateTime(least(${received} + (${secondsPerDay} * toInt64(${days})), ${latestSecond}))`;
}
