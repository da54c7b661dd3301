import type { LogLevel } from "../../signals/inputs/record.ts";

/** What loggers call their levels. */
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

/** A level by its name, or by pino's and bunyan's number; null for what is none. */
export function levelOf(value: unknown): LogLevel | null {
  if (typeof value === "number") return levelOfNumber(value);
  return typeof value === "string" ? (names[value.trim().toLowerCase()] ?? null) : null;
}

/** pino and bunyan: 10 trace … 60 fatal. */
function levelOfNumber(value: number): LogLevel | null {
  const byTens: readonly LogLevel[] = ["trace", "debug", "info", "warn", "error", "fatal"];
  return byTens[Math.floor(value / 10) - 1] ?? null;
}

/** Severity of a syslog priority (RFC 5424, 6.2.1): its last three bits, 0 the worst. */
export function levelOfSyslog(priority: string | undefined): LogLevel | null {
  if (priority === undefined) return null;
  const bySeverity: readonly LogLevel[] = ["fatal", "fatal", "fatal", "error", "warn", "info", "info", "debug"];
  return bySeverity[Number(priority) % 8] ?? null;
}

/** 0 for what was not said; the worst is the highest. */
export function severityOf(level: LogLevel | null): number {
  return level === null ? 0 : ["trace", "debug", "info", "warn", "error", "fatal"].indexOf(level) + 1;
}
