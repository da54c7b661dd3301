import type { LogRecord } from "../signals/inputs/record.ts";
import { telling } from "../words/telling.ts";

/** What programs print at their start, or of what they will drop one day. */
const advisory = /\bdevelopment server\b|\bdeprecat(?:ed|ion)\b|\bexperimental\b/i;

/** Returns whether a warning only gives advice: it doesn't say that anything failed. */
export function isAdvisory({ level, message }: Pick<LogRecord, "level" | "message">): boolean {
  return level === "warn" && advisory.test(message) && !telling.test(message);
}
