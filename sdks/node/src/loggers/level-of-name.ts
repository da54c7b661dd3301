import type { Level } from "../core/level.ts";

/** Level names of loggers: npm's and syslog's in winston, pino's, bunyan's. */
const names: Readonly<Record<string, Level>> = {
  emerg: "critical",
  alert: "critical",
  crit: "critical",
  critical: "critical",
  fatal: "critical",
  error: "error",
  warn: "warning",
  warning: "warning",
  notice: "info",
  info: "info",
  help: "info",
  data: "info",
  http: "info",
  verbose: "debug",
  debug: "debug",
  trace: "debug",
  silly: "debug",
};

/** Returns the level with this name; `info` for a custom name. */
export function levelOfName(name: string): Level {
  const known = name.toLowerCase();
  return Object.hasOwn(names, known) ? (names[known] ?? "info") : "info";
}
