import type { Generated } from "kysely";

/** Something that the service checks for an organization. */
export interface MonitorTable {
  id: string;
  scope_id: string;
  name: string;
  severity: string;
  service: string | null;
  env: string | null;
  alert_after: number;
  check_json: string;
  /** How its checks go. */
  progress_json: string;
  /** SHA-256 (hex) of the key of its check-ins; null for other kinds. */
  key_hash: string | null;
  /** How often its progress was written or its check taken; a writer that was overtaken writes nothing. */
  revision: Generated<number>;
  /** Null while it is paused. */
  next_check_at: string | null;
  created_at: string;
  user_id: string;
  user_name: string;
}

/** The result of one check. */
export interface MonitorResultTable {
  monitor_id: string;
  scope_id: string;
  /** The monitor's revision that it came with. */
  revision: number;
  at: string;
  outcome: string;
  reason: string;
  duration_ms: number | null;
  value: number | null;
}
