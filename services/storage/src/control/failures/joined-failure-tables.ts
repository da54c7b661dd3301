/** A failure that is counted on an incident which another one opened. */
export interface IncidentFailureTable {
  incident_id: string;
  fingerprint: string;
  env: string;
  service: string;
  title: string;
  rule: string;
  reason: string;
  event_id: string;
  /** Occurrences since it joined. */
  events: number;
  first_seen: string;
  last_seen: string;
  joined_at: string;
  /** When it was last asked whether it still belongs there. */
  checked_at: string;
  /** The incident with which someone merged it into this one. */
  merged_from: string | null;
}

/** How many incidents telemetry ever opened in a scope. A writer compares it to see whether another one opened in between. */
export interface IncidentOpeningTable {
  scope_id: string;
  opened: number;
}
