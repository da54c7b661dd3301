import { z } from "zod";
import { count, inlineCode } from "../../words/prose.ts";
import { nameOf } from "../../words/release-names.ts";
import { commitProblems, commitSchema, comparedReleases, shortId } from "./commit.ts";
import { factKind } from "./fact-kind.ts";

/** The difference between two releases of a service, in figures. */
const releaseComparison = comparedReleases
  .extend({
    /** The last commits, newest first; empty when unknown. */
    commits: z.array(commitSchema).readonly(),
    /** How many files differ, not counting tests. */
    files: z.number(),
    /** Whether every line that differs was read. */
    isWhole: z.boolean(),
  })
  .readonly();
export type ReleaseComparison = z.output<typeof releaseComparison>;

export const comparison = factKind({
  name: "comparison",
  means: "How much a release changed, and in which commits",
  data: z.object({ comparison: releaseComparison }),
  example: {
    comparison: {
      service: "payments",
      release: "2.0.0",
      previous: "1.9.0",
      releasedAt: "2026-03-01T09:59:34.000Z",
      commits: [
        {
          id: "9c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f6a7b8c9d",
          author: "Ada",
          subject: "Rename amount",
          at: "2026-03-01T09:40:00.000Z",
        },
      ],
      files: 3,
      isWhole: true,
    },
  },
  evidence: ({ comparison: one }) => {
    const { previous, files, isWhole, commits } = one;
    const [last] = commits;
    const amount = `${isWhole ? "" : "at least "}${count(files, "file")}`;
    const by = last
      ? `; its last commit is ${shortId(last.id)} by ${inlineCode(last.author)}: ${inlineCode(last.subject)}`
      : "";
    return `${nameOf(one)} differs from ${inlineCode(previous)} in ${amount}${by}`;
  },
  isComputed: true,
  problems: ({ comparison: { commits, releasedAt } }) => commitProblems(commits, releasedAt),
});
