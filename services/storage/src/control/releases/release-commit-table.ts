/** A release that a build tool announced in a service, and its commits. */
export interface ReleaseCommitTable {
  scope_id: string;
  service: string;
  release: string;
  /** When its commits were set, or, while it has none, when it was announced. */
  announced_at: string;
  /** Newest first; empty until they are set. */
  commits_json: string;
}
