import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { nameOf } from "../../words/release-names.ts";
import { commitProblems, commitSchema, commitText, comparedReleases } from "./commit.ts";
import { factKind } from "./fact-kind.ts";

const hunkSchema = z
  .object({
    /** First removed line in the old file, or where it would be when none are removed. */
    from: z.number(),
    removed: z.array(z.string()).readonly(),
    /** First added line in the new file, or the line after the removed ones when none are added. */
    to: z.number(),
    added: z.array(z.string()).readonly(),
  })
  .readonly();

/** Consecutive lines that differ between two releases. Lines are 1-based, and have no line endings. */
export type Hunk = z.output<typeof hunkSchema>;

const releaseChangeSchema = comparedReleases
  .extend({
    /** In the new release, relative to the service's folder. */
    path: z.string(),
    hunk: hunkSchema,
    /** The commit that made the change, or that the release was built from; null when neither is known. */
    commit: commitSchema
      .unwrap()
      .extend({ of: z.enum(["change", "release"]) })
      .readonly()
      .nullable(),
  })
  .readonly();

/** One hunk of what changed between two releases. */
export type ReleaseChange = z.output<typeof releaseChangeSchema>;

export const releaseChange = factKind({
  name: "release-change",
  means: "Neighboring lines that a release changed",
  data: z.object({ change: releaseChangeSchema }),
  evidence: ({ change }) => {
    const { path, previous, hunk, commit } = change;
    const where = placeText({ file: path, line: Math.max(1, hunk.to), function: null });
    return `${nameOf(change)} differs from ${inlineCode(previous)} at ${where}${commitText(commit)}`;
  },
  isComputed: false,
  problems: ({ change: { hunk, commit, releasedAt } }, excerpt) => [
    ...(hunkText(hunk).startsWith(excerpt) ? [] : ["the lines of a change aren't in its excerpt"]),
    ...commitProblems(commit ? [commit] : [], releasedAt),
  ],
});

/** Formats a hunk as `diff -U0` prints it. */
export function hunkText({ from, removed, to, added }: Hunk): string {
  const header = `@@ -${from},${removed.length} +${to},${added.length} @@`;
  return [header, ...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)].join("\n").toWellFormed();
}
