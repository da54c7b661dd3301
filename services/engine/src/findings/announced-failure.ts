/** A failure that was announced in words, by an alert or by people in a conversation. */
export interface AnnouncedFailure {
  /** As named in telemetry, or else in the announcement; null when unknown. */
  readonly service: string | null;
  readonly env: string | null;
  /** The release that the service ran at the time; null when unknown. */
  readonly release: string | null;
  /** When the failure began, according to the announcement. RFC 3339. */
  readonly at: string;
  /** Whether the service reports to Whence. */
  readonly isInTelemetry: boolean;
  /** The page of the conversation, such as an issue's; absent for an alert, and where it isn't known. */
  readonly page?: string;
}
