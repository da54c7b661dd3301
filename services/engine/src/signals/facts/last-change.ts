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
  evidence: ({ lastChange: { path, from, to, commit } }) => {
    const { id, author, subject, at } = commit;
    const lines = from === to ? `line ${from}` : `lines ${from} to ${to}`;
    return `${lines} of ${inlineCode(path)} last changed at ${at}, in commit ${shortId(id)} by ${inlineCode(author)}: ${inlineCode(subject)}`;
  },
  isComputed: true,
});
