import type { LogRecord } from "../../signals/inputs/record.ts";

/** The content of a log line, without its position, which the reader of the line knows. */
export type LineRecord = Omit<LogRecord, "source" | "printed">;

/** Reads one kind of log line. */
export interface RecordFormat {
  /** The name of its row in docs/formats.md. */
  readonly name: string;
  /** Returns null for another kind of line. */
  read(text: string): LineRecord | null;
}

/** Creates a record, with defaults for what isn't given. */
export function lineRecord(message: string, more: Partial<LineRecord> = {}): LineRecord {
  return { at: null, level: null, logger: null, message, fields: {}, ...more };
}
