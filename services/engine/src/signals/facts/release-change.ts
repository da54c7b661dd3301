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
  example: {
    change: {
      service: "payments",
      release: "2.0.0",
      previous: "1.9.0",
      releasedAt: "2026-03-01T09:59:34.000Z",
      path: "src/body.ts",
      hunk: { from: 7, removed: ["  amount,"], to: 7, added: ["  total: amount,"] },
      commit: {
        id: "9c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f6a7b8c9d",
        author: "Ada",
        subject: "Rename amount",
        at: "2026-03-01T09:40:00.000Z",
        of: "change",
      },
    },
  },
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
