/** One item of an envelope, such as an event or a session. */
export interface EnvelopeItem {
  readonly type: string;
  /** Empty for a {@link isReadType type} that isn't read. One that is too large to be read is cut, one byte too late. */
  readonly payload: Buffer;
}

/** What a client of Sentry's sends at once. */
export interface Envelope {
  readonly eventId: string | undefined;
  readonly dsn: string | undefined;
  /** When the client sent it, as it wrote it. */
  readonly sentAt: string | undefined;
  readonly items: readonly EnvelopeItem[];
}

/** Types whose items are read. */
const readTypes: ReadonlySet<string> = new Set([
  "event",
  "client_report",
  "check_in",
  "transaction",
  "session",
  "sessions",
]);

/** Whether items of a type are read. */
export function isReadType(type: string): boolean {
  return readTypes.has(type);
}
