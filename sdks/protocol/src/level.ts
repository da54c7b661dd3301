/** Severities of an event, mildest first. `critical` is what pino calls fatal and Python calls CRITICAL. */
export const levels = ["debug", "info", "warning", "error", "critical"] as const;

export type Level = (typeof levels)[number];

/** Whether an event of this level is a failure, which may open an incident. */
export function isFailure(level: Level): boolean {
  return level === "error" || level === "critical";
}

/** The number from which on a log record is of a level, as pino and bunyan count. Python's loggers count 10 lower. */
export const levelNumbers: Readonly<Record<Level, number>> = {
  debug: 20,
  info: 30,
  warning: 40,
  error: 50,
  critical: 60,
};

/** The level of a log record that counts as pino and bunyan do; what is below `debug` (their trace) is `debug`, too. */
export function levelOfNumber(number: number): Level {
  return levels.findLast((level) => number >= levelNumbers[level]) ?? "debug";
}
