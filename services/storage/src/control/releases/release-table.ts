/** That a release was reported as live in an environment: once, or several times with no other reported between. */
export interface ReportedReleaseTable {
  scope_id: string;
  service: string;
  release: string;
  env: string;
  /** When it was reported first, */
  live_at: string;
  /** and last. */
  reported_at: string;
  /** The key or the alert source that reported it last. */
  reported_by: string;
  /** The commit that it was built from; null when that wasn't said. */
  commit_id: string | null;
  url: string | null;
}
