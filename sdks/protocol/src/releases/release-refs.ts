import { releaseNames } from "./release-names.ts";

/** A release, and the commit that it was reported to be built from. */
export interface NamedRelease {
  readonly name: string;
  /** Null when that wasn't said. */
  readonly commit: string | null;
}

/**
 * What a release may be called in git: the commit that it was reported with, the one that its name has
 * (`shop@1.4.2+3f2a91c`), or the tag `1.4.2` or `v1.4.2`.
 */
export interface ReleaseRefs {
  /** Ids of commits, or their beginnings. */
  readonly commits: readonly string[];
  readonly tags: readonly string[];
}

/** The refs of a release, those that tell most first. A name that can't be one in git has none. */
export function releaseRefs({ name, commit: reported }: NamedRelease): ReleaseRefs {
  const ofReport = reported === null ? [] : [reported];
  if (!/^[\w@][\w.@+/-]{0,199}$/.test(name)) return { commits: ofReport, tags: [] };
  const named = /(?:^|\+)([0-9a-f]{7,40})$/.exec(name)?.[1];
  return {
    commits: [...ofReport, ...(named === undefined ? [] : [named])],
    tags: releaseNames(name).flatMap((one) => [one, `v${one}`]),
  };
}

/** A commit's id in evidence. */
export function shortCommit(id: string): string {
  return id.slice(0, shortIdLength);
}

const shortIdLength = 12;
