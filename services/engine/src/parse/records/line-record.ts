import type { LogRecord } from "../../signals/inputs/record.ts";

/** What a line of a log says; where it is printed is known to who read the line. */
export type LineRecord = Omit<LogRecord, "source" | "printed">;

/** Reads one kind of log lines. */
export interface RecordFormat {
  /** Its row in docs/formats.md. */
  readonly name: string;
  /** Null for a line of another kind. */
  read(text: string): LineRecord | null;
}

/** A record with defaults for what isn't given. */
export function lineRecord(message: string, more: Partial<LineRecord> = {}): LineRecord {
  return { at: null, level: null, logger: null, message, fields: {}, ...more };
}
