const errorLevels: ReadonlySet<string> = new Set([
  "err",
  "error",
  "fatal",
  "crit",
  "critical",
  "emerg",
  "emergency",
  "alert",
  "severe",
  "panic",
]);

/** Returns whether a vendor's name for a log level means that something failed. */
export function isErrorLevel(level: string | null): boolean {
  return level !== null && errorLevels.has(level.toLowerCase());
}
