import type { Location } from "@whence/protocol";
import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** An endless recursion. */
export const recursion = codeKind({
  name: "recursion",
  means: "A function reaches itself again without an end that the code shows",
  args: z.object({
    function: z.string(),
    /** The function of the cycle that it calls; absent if it calls itself. */
    through: z.string().optional(),
  }),
  example: { function: "expandCategory" },
  link: {
    what: ({ function: name, through, place }) =>
      `${inlineCode(name)} calls itself endlessly${through === undefined ? "" : ` through ${inlineCode(through)}`} (${inlineCode(lineOf(place))})`,
    fix: ({ function: name, place }) => ({
      title: `End the recursion of ${inlineCode(name)}`,
      detail: `See what calls it again at ${placeText(place)}: a missing end, data that contains itself, or an event that it causes.`,
    }),
    prevent: ({ function: name }) => ({
      title: `Bound the depth of ${inlineCode(name)}`,
      detail: "Reject input that is nested more deeply than the limit, and test with a cycle.",
    }),
    ruledOutBy: ({ function: name }) => `${inlineCode(name)} ends for the input that failed`,
  },
  category: () => "infinite-loop",
});

function lineOf({ file, line }: Location): string {
  return line === null ? file : `${file}:${line}`;
}
