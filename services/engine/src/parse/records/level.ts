import type { LogLevel } from "../../signals/inputs/record.ts";

/** The names of levels in various loggers. */
const names: Readonly<Record<string, LogLevel>> = {
  trace: "trace",
  verbose: "trace",
  finest: "trace",
  silly: "trace",
  debug: "debug",
  dbg: "debug",
  fine: "debug",
  info: "info",
  inf: "info",
  information: "info",
  informational: "info",
  notice: "info",
  default: "info",
  log: "info",
  http: "info",
  warn: "warn",
  wrn: "warn",
  warning: "warn",
  error: "error",
  err: "error",
  eror: "error",
  severe: "error",
  failure: "error",
  fail: "error",
  crit: "fatal",
  critical: "fatal",
  fatal: "fatal",
  ftl: "fatal",
  alert: "fatal",
  emerg: "fatal",
  emergency: "fatal",
  panic: "fatal",
  dpanic: "fatal",
};

/** Returns a level by its name, or by its number in pino and bunyan; null for any other value. */
export function levelOf(value: unknown): LogLevel | null {
  if (typeof value === "number") return levelOfNumber(value);
  return typeof value === "string" ? (names[value.trim().toLowerCase()] ?? null) : null;
}

/** pino and bunyan: 10 is trace, 60 is fatal. */
function levelOfNumber(value: number): LogLevel | null {
  const byTens: readonly LogLevel[] = ["trace", "debug", "info", "warn", "error", "fatal"];
  return byTens[Math.floor(value / 10) - 1] ?? null;
}

/**
 * Returns the level of a syslog priority by its severity (RFC 5424, 6.2.1): the last three bits, 0 being the most
 * severe.
 */
export function levelOfSyslog(priority: string | undefined): LogLevel | null {
  if (priority === undefined) return null;
  const bySeverity: readonly LogLevel[] = ["fatal", "fatal", "fatal", "error", "warn", "info", "info", "debug"];
  return bySeverity[Number(priority) % 8] ?? null;
}

/** Returns 0 for an unknown level; higher is more severe. */
export function severityOf(level: LogLevel | null): number {
  return level === null ? 0 : ["trace", "debug", "info", "warn", "error", "fatal"].indexOf(level) + 1;
}
