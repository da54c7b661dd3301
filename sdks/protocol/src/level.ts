/** Severities of an event, mildest first. `critical` is pino's fatal and Python's CRITICAL. */
export const levels = ["debug", "info", "warning", "error", "critical"] as const;

export type Level = (typeof levels)[number];

/** Whether an event of this level is a failure, which may open an incident. */
export function isFailure(level: Level): boolean {
  return level === "error" || level === "critical";
}

/** The lowest number of each level in log records, as pino and bunyan count. Python's loggers count 10 lower. */
export const levelNumbers: Readonly<Record<Level, number>> = {
  debug: 20,
  info: 30,
  warning: 40,
  error: 50,
  critical: 60,
};

/**
 * Returns the level of a log record numbered as in pino and bunyan. Numbers below `debug` (their trace) are `debug`,
 * too.
 */
export function levelOfNumber(number: number): Level {
  return levels.findLast((level) => number >= levelNumbers[level]) ?? "debug";
}
