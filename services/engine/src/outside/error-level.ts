const errorLevels: ReadonlySet<string> = new Set([
  ...["err", "error", "fatal", "crit", "critical", "emerg", "emergency", "alert", "severe", "panic"],
]);

/** Whether a vendor's name for how severe a log line is says that something failed. */
export function isErrorLevel(level: string | null): boolean {
  return level !== null && errorLevels.has(level.toLowerCase());
}
