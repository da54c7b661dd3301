/** A branch of a repository, and the commit that it is at. */
export interface HostedBranch {
  readonly name: string;
  readonly commitId: string;
}

/** A pull request at its host; GitLab calls it a merge request. */
export interface HostedPullRequest {
  readonly number: number;
  /** Its page for people. */
  readonly url: string;
}

/** A commit of changed files on a new branch. */
export interface BranchCommit {
  /** The branch, which must not exist yet. */
  readonly branch: string;
  /** The ID of the commit that it starts from. */
  readonly parent: string;
  readonly message: string;
  /** Files of the parent, with their whole new text. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

/** A pull request that isn't ready for review. */
export interface DraftPullRequest {
  readonly branch: string;
  /** The name of the branch that it would change. */
  readonly base: string;
  readonly title: string;
  /** In the Markdown of the host. */
  readonly body: string;
}

/**
 * The branches and pull requests of one repository, with the permission to add to them. Nothing is ever overwritten or
 * deleted. Every rejection is a `VendorFailure`, unless the signal fired.
 */
export interface PullRequests {
  /** Returns the branch that changes go to. */
  defaultBranch(signal: AbortSignal): Promise<HostedBranch>;
  /** Returns null when there is no such branch. */
  branch(name: string, signal: AbortSignal): Promise<HostedBranch | null>;
  /** Returns the latest pull request from a branch, whatever its state; null when there is none. */
  find(branch: string, signal: AbortSignal): Promise<HostedPullRequest | null>;
  commit(commit: BranchCommit, signal: AbortSignal): Promise<void>;
  open(draft: DraftPullRequest, signal: AbortSignal): Promise<HostedPullRequest>;
  close(): Promise<void>;
}
