/** A release that a build tool announced in a service, and its commits. */
export interface ReleaseCommitTable {
  scope_id: string;
  service: string;
  release: string;
  /** When it was announced, or its commits were set. */
  announced_at: string;
  /** Newest first; empty until they are set. */
  commits_json: string;
}
