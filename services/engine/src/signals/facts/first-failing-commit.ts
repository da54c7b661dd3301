import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { commitSchema, shortId } from "./commit.ts";
import { factKind } from "./fact-kind.ts";

const sinceSchema = z
  .object({
    commit: commitSchema,
    /** The revision at which the command passed. */
    good: z.string(),
    /** The first of its lines in the code that was read; null when it changed none of that. */
    place: z.object({ file: z.string(), line: z.number() }).nullable(),
  })
  .readonly();

export const firstFailingCommit = factKind({
  name: "first-failing-commit",
  means: "The commit with which the failing command began to fail, found by running it at others",
  data: z.object({ since: sinceSchema }),
  example: {
    since: {
      commit: {
        id: "9c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f6a7b8c9d",
        author: "Ada",
        subject: "Rename amount",
        at: "2026-03-01T09:40:00.000Z",
      },
      good: "v1.4.0",
      place: { file: "src/body.ts", line: 7 },
    },
  },
  evidence: ({ since: { commit, good, place } }) => {
    const changed = place === null ? "" : `, which changed ${placeText({ ...place, function: null })}`;
    const by = `commit ${shortId(commit.id)} by ${inlineCode(commit.author)}: ${inlineCode(commit.subject)}`;
    return `The command passes at ${inlineCode(good)}, and fails since ${by}${changed}`;
  },
  shown: ({ since }, shown) => ({
    since: { ...since, place: since.place && { ...since.place, file: shown(since.place.file) } },
  }),
  isComputed: false,
  isMoment: () => false,
  problems: ({ since: { commit, place } }, excerpt) => [
    ...(excerpt.includes(commit.id) ? [] : ["its commit isn't the one that was found"]),
    ...(place === null || place.line >= 1 ? [] : ["it changed no such line"]),
  ],
});
