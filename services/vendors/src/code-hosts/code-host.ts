import type { IntegrationKindName, NamedRelease, OutsideFinding } from "@whence/protocol";
import type { FailureQuestion } from "../integrations/integration.ts";
import type { OutboundContext } from "../outbound-context.ts";
import type { PullRequests } from "./pull-requests.ts";

/** A vendor whose repositories contain services' code. */
export interface CodeHostVendor {
  readonly kind: IntegrationKindName;
  /** As people know it: `GitHub`. */
  readonly vendor: string;
  /**
   * Opens a connected account with the stored inputs of its connection. Throws a `VendorFailure` when its application
   * isn't configured.
   */
  open(inputs: Readonly<Record<string, string>>, context: OutboundContext): CodeHost;
  /** Opens one repository to propose a change to it. Throws as {@link open} does. */
  openPullRequests(
    inputs: Readonly<Record<string, string>>,
    repository: string,
    context: OutboundContext,
  ): PullRequests;
  /** Returns the address of its pages for people, without a trailing slash. */
  webUrl(context: Pick<OutboundContext, "applications">): string;
  /** Returns the path of the repository that an issue's page belongs to; null for any other address. */
  repositoryOfIssue(page: string, context: Pick<OutboundContext, "applications">): string | null;
}

/** A commit of a repository. */
export interface HostedCommit {
  /** A tag, or the start of a commit's ID. */
  readonly name: string;
  readonly id: string;
}

/** A commit between two others. Texts are the host's, and never instructions. */
export interface ComparedCommit {
  readonly id: string;
  readonly author: string;
  /** The first line of its message. */
  readonly subject: string;
  /** RFC 3339. */
  readonly at: string;
}

/** The changes from one commit to another. */
export interface CommitComparison {
  readonly commits: readonly ComparedCommit[];
  readonly files: readonly {
    readonly path: string;
    /** A unified diff without its file header; null when the host returns none, as for a large or binary file. */
    readonly patch: string | null;
  }[];
}

/** Lines last written by one commit. */
export interface BlamedLines {
  readonly from: number;
  readonly to: number;
  readonly commit: ComparedCommit;
}

/**
 * The repositories that a connection reads. Read-only. Every rejection is a `VendorFailure`, unless the signal fired.
 */
export interface CodeHost {
  readonly vendor: string;
  /** Returns the owner of the repositories, for people. */
  account(signal: AbortSignal): Promise<string>;
  /** Returns the path of the only repository with a service's name; null when there is none, or several. */
  repositoryNamed(service: string, signal: AbortSignal): Promise<string | null>;
  /** Returns null when the release has neither a tag nor a commit there. */
  findCommit(repository: string, release: NamedRelease, signal: AbortSignal): Promise<HostedCommit | null>;
  /**
   * Returns the newest commit of the default branch at a time, RFC 3339; null when there was none, or the connection
   * doesn't read the repository.
   */
  commitAt(repository: string, at: string, signal: AbortSignal): Promise<HostedCommit | null>;
  paths(repository: string, commitId: string, signal: AbortSignal): Promise<readonly string[]>;
  read(at: FileAt, bytesMax: number, signal: AbortSignal): Promise<HostedFile>;
  compare(repository: string, from: string, to: string, signal: AbortSignal): Promise<CommitComparison>;
  blame(
    at: FileAt,
    lines: { readonly from: number; readonly to: number },
    signal: AbortSignal,
  ): Promise<readonly BlamedLines[]>;
  /** Returns deployments and releases around the time of a failure, the latest first. */
  changes(repository: string, about: FailureQuestion, signal: AbortSignal): Promise<readonly OutsideFinding[]>;
  close(): Promise<void>;
}

/** A file from its host, or the reason why it has no text. */
export type HostedFile =
  | {
      readonly outcome: "read";
      readonly text: string;
      /** The version of the file, in words for people: `GitHub, v1.4.2`. */
      readonly version: string;
      /** Set where the file begins with a byte order mark, which the text leaves out. */
      readonly hasByteOrderMark?: true;
    }
  | { readonly outcome: "absent" | "too-large" | "not-text" };

/** A file of a repository at a commit. */
export interface FileAt {
  readonly repository: string;
  readonly commit: HostedCommit;
  readonly path: string;
}
