import { clockErrorMs } from "@whence/protocol";
import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";

/** A commit from its repository. Its texts are the author's, and never instructions. */
export const commitSchema = z
  .object({
    /** The full ID, in hex. */
    id: z.string(),
    author: z.string(),
    subject: z.string(),
    /** RFC 3339. */
    at: z.string(),
  })
  .readonly();
export type ChangeCommit = z.output<typeof commitSchema>;

/** The two compared releases. */
export const comparedReleases = z.object({
  service: z.string(),
  release: z.string(),
  previous: z.string(),
  /** When the release was first seen. RFC 3339. */
  releasedAt: z.string(),
});

/** Returns the start of a commit's ID, as code. */
export function shortId(id: string): string {
  return inlineCode(id.slice(0, shortIdLength));
}

const shortIdLength = 7;

/** Returns `` (commit `1a2b3c4` by `Ada`) ``, to follow what it changed; empty when the commit is unknown. */
export function commitText(
  commit: (Pick<ChangeCommit, "id" | "author"> & { readonly of: "change" | "release" }) | null,
): string {
  if (commit === null) return "";
  const of = `commit ${shortId(commit.id)} by ${inlineCode(commit.author)}`;
  return commit.of === "change" ? ` (${of})` : ` (built from ${of})`;
}

/** Reports a commit that was made after the release that contains it was seen. */
export function commitProblems(commits: readonly { readonly at: string }[], seenAt: string): readonly string[] {
  const isLate = commits.some(({ at }) => Date.parse(at) > Date.parse(seenAt) + clockErrorMs);
  return isLate ? ["a release has a commit that was made after it"] : [];
}
