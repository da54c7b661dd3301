import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";
import { commitSchema, shortId } from "./commit.ts";
import { factKind } from "./fact-kind.ts";

const lastChangeSchema = z
  .object({
    /** Relative to the service's folder, in the failing release. */
    path: z.string(),
    /** 1-based, both included. */
    from: z.number(),
    to: z.number(),
    commit: commitSchema,
  })
  .readonly();

/** Neighboring lines of a file, and the commit that last changed them. */
export type LastChange = z.output<typeof lastChangeSchema>;

export const lastChange = factKind({
  name: "last-change",
  means: "Which commit changed lines of the failing code last",
  data: z.object({ lastChange: lastChangeSchema }),
  example: {
    lastChange: {
      path: "src/orders.ts",
      from: 28,
      to: 33,
      commit: {
        id: "9c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f6a7b8c9d",
        author: "Ada",
        subject: "Rename amount",
        at: "2026-03-01T09:40:00.000Z",
      },
    },
  },
  evidence: ({ lastChange: { path, from, to, commit } }) => {
    const { id, author, subject, at } = commit;
    const lines = from === to ? `line ${from}` : `lines ${from} to ${to}`;
    return `${lines} of ${inlineCode(path)} last changed at ${at}, in commit ${shortId(id)} by ${inlineCode(author)}: ${inlineCode(subject)}`;
  },
  isComputed: true,
});
