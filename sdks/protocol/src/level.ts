/** Severities of an event, mildest first. `critical` is what pino calls fatal and Python calls CRITICAL. */
export const levels = ["debug", "info", "warning", "error", "critical"] as const;

export type Level = (typeof levels)[number];

/** Whether an event of this level tells of a failure, and so may open an incident. */
export function isFailure(level: Level): boolean {
  return level === "error" || level === "critical";
}
