import type { IntegrationKindName, NamedRelease, OutsideFinding } from "@whence/protocol";
import type { FailureQuestion } from "../integrations/integration.ts";
import type { OutboundContext } from "../outbound-context.ts";

/** A vendor whose repositories have services' code. */
export interface CodeHostVendor {
  readonly kind: IntegrationKindName;
  /** As people know it: `GitHub`. */
  readonly vendor: string;
  /** Opens a connected account with what its connection is stored with. Throws a `VendorFailure` when its application isn't configured. */
  open(inputs: Readonly<Record<string, string>>, context: OutboundContext): CodeHost;
}

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
  read(at: FileAt, bytesMax: number, signal: AbortSignal): Promise<HostedFile>;
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

/** A file as its host has it, or why there is no text of it. */
export type HostedFile =
  | {
      readonly outcome: "read";
      readonly text: string;
      /** Which version it is, in words for people: `GitHub, v1.4.2`. */
      readonly version: string;
    }
  | { readonly outcome: "absent" | "too-large" | "not-text" };

/** A file of a repository at a commit. */
export interface FileAt {
  readonly repository: string;
  readonly commit: HostedCommit;
  readonly path: string;
}
