import type { SourceFile } from "@whence/engine";
import type { NamedRelease, OutsideFinding } from "@whence/protocol";
import type { FailureQuestion } from "../integrations/integration.ts";

/** A commit that a release names. */
export interface HostedCommit {
  /** The release's name at the host: a tag, or the beginning of a commit's id. */
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

/** What changed from one commit to another. */
export interface CommitComparison {
  readonly commits: readonly ComparedCommit[];
  readonly files: readonly {
    readonly path: string;
    /** A unified diff without its file header; null when the host gives none, such as for a large or binary file. */
    readonly patch: string | null;
  }[];
}

/** Lines that one commit wrote last. */
export interface BlamedLines {
  readonly from: number;
  readonly to: number;
  readonly commit: ComparedCommit;
}

/** The repositories that a connection reads. Read only. Every rejection is a `VendorFailure`, unless the signal fired. */
export interface CodeHost {
  readonly vendor: string;
  /** Whose repositories these are, for people. */
  account(signal: AbortSignal): Promise<string>;
  /** The path of the one repository of a service's name; null when there is none, or several. */
  repositoryNamed(service: string, signal: AbortSignal): Promise<string | null>;
  /** Null when the release has neither a tag nor a commit there. */
  findCommit(repository: string, release: NamedRelease, signal: AbortSignal): Promise<HostedCommit | null>;
  paths(repository: string, commitId: string, signal: AbortSignal): Promise<readonly string[]>;
  read(at: FileAt, bytesMax: number, signal: AbortSignal): Promise<SourceFile>;
  compare(repository: string, from: string, to: string, signal: AbortSignal): Promise<CommitComparison>;
  blame(
    at: FileAt,
    lines: { readonly from: number; readonly to: number },
    signal: AbortSignal,
  ): Promise<readonly BlamedLines[]>;
  /** Deployments and releases of the time around a failure, the latest first. */
  changes(repository: string, about: FailureQuestion, signal: AbortSignal): Promise<readonly OutsideFinding[]>;
  close(): Promise<void>;
}

/** A file of a repository at a commit. */
export interface FileAt {
  readonly repository: string;
  readonly commit: HostedCommit;
  readonly path: string;
}
