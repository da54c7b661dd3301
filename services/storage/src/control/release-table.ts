/** A release that was reported as live in an environment. */
export interface ReportedReleaseTable {
  scope_id: string;
  service: string;
  release: string;
  env: string;
  live_at: string;
  /** The commit that it was built from; null when that wasn't said. */
  commit_id: string | null;
  url: string | null;
}
