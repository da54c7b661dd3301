/** What is known of a failure that was announced in words: by an alert, or by people in a conversation. */
export interface AnnouncedFailure {
  /** As telemetry names it, or else as it was announced; null when that isn't known. */
  readonly service: string | null;
  readonly env: string | null;
  /** What the service ran then; null when that isn't known. */
  readonly release: string | null;
  /** When the failure began, as far as it was announced. RFC 3339. */
  readonly at: string;
  /** Whether the service reports to Whence. */
  readonly isInTelemetry: boolean;
}
