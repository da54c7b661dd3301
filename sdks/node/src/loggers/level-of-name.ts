import type { Level } from "../core/level.ts";

/** The names that loggers give their levels: npm's and syslog's of winston, pino's, bunyan's. */
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

/** The level that a logger calls so; `info` for a name of the program's own. */
export function levelOfName(name: string): Level {
  const known = name.toLowerCase();
  return Object.hasOwn(names, known) ? (names[known] ?? "info") : "info";
}
