/** A deployment that an alert source announced as live. */
export interface DeploymentTable {
  scope_id: string;
  source_id: string;
  /** Its id at the source. */
  key: string;
  service: string;
  release: string;
  env: string;
  commit_id: string | null;
  url: string | null;
  live_at: string;
  checks: number;
  /** Null: it is checked no more. */
  next_check_at: string | null;
}
