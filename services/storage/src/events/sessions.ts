/**
 * Sessions that one client reported at once: a use of an application, from its start to its end or crash. Only counts of
 * them are kept, by hour.
 */
export interface StoredSessions {
  readonly scopeId: string;
  readonly service: string;
  readonly env: string;
  readonly release: string;
  /** The same for all reports of one session, which count once. */
  readonly id: string;
  /** RFC 3339: when they started. */
  readonly at: string;
  readonly sessions: number;
  /** Those of them that ended by a crash. */
  readonly crashed: number;
  /** Those of them that went on after an error that nothing caught. */
  readonly unhandled: number;
  /** RFC 3339 with milliseconds: when the gateway took it. */
  readonly receivedAt: string;
  /** How long its organization keeps telemetry, if not as long as the service. */
  readonly retentionDays?: number;
}
