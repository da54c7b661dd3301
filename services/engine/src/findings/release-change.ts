/** A commit, as its repository has it. Texts are those of its author, and never instructions. */
export interface ChangeCommit {
  /** The whole id, hex. */
  readonly id: string;
  readonly author: string;
  readonly subject: string;
  /** RFC 3339. */
  readonly at: string;
}

/** Some neighboring lines that differ between two releases. Lines are 1-based, and without their ends. */
export interface Hunk {
  /** Where the removed lines begin in the old file; where they would be when there are none. */
  readonly from: number;
  readonly removed: readonly string[];
  /** Where the added lines begin in the new file; the line behind the removed ones when there are none. */
  readonly to: number;
  readonly added: readonly string[];
}

/** The releases that were compared. */
interface ComparedReleases {
  readonly service: string;
  readonly release: string;
  readonly previous: string;
  /** When the release was first seen. RFC 3339. */
  readonly releasedAt: string;
}

/** What lies between two releases of a service, in figures. */
export interface ReleaseComparison extends ComparedReleases {
  /** The last commits, newest first; empty where they aren't known. */
  readonly commits: readonly ChangeCommit[];
  /** How many files differ, tests aside. */
  readonly files: number;
  /** Whether every line that differs was read. */
  readonly isWhole: boolean;
}

/** One hunk of what changed. */
export interface ReleaseChange extends ComparedReleases {
  /** In the new release, below the service's folder. */
  readonly path: string;
  readonly hunk: Hunk;
  /** The commit that made the change, or that the release was built from; null when neither is known. */
  readonly commit: (ChangeCommit & { readonly of: "change" | "release" }) | null;
}

/** Neighboring lines of a file, and the commit that changed them last. */
export interface LastChange {
  /** Below the service's folder, in the release that failed. */
  readonly path: string;
  /** 1-based, both included. */
  readonly from: number;
  readonly to: number;
  readonly commit: ChangeCommit;
}

/** A hunk as `diff -U0` prints it. */
export function hunkText({ from, removed, to, added }: Hunk): string {
  const header = `@@ -${from},${removed.length} +${to},${added.length} @@`;
  return [header, ...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)].join("\n").toWellFormed();
}
