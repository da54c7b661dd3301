import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A flag that says how something was done, decided by another condition than the one by which it is done. */
export const splitCondition = codeKind({
  name: "split-condition",
  means: "A flag says how data was written, and it is decided by another condition than the writing is",
  args: z.object({
    flag: z.string(),
    /** The condition of the flag. */
    decided: z.string(),
    /** The condition of what the flag tells of. */
    done: z.string(),
  }),
  example: { flag: "zipped", decided: 'kind != "zip"', done: "kind not in packed" },
  link: {
    what: ({ flag, decided, done, place }) =>
      `${placeText(place)} sets ${inlineCode(flag)} by ${inlineCode(decided)}, but what it tells of is done by ${inlineCode(done)}`,
    fix: ({ flag, place }) => ({
      title: `Set ${inlineCode(flag)} where it is done, at ${placeText(place)}`,
      detail: "Then correct what was stored while the two disagreed.",
    }),
    prevent: ({ decided, done }) => ({
      title: `Add a test in which ${inlineCode(decided)} and ${inlineCode(done)} differ`,
      detail: "What is written should be read back as it was.",
    }),
    confirmedBy: ({ decided, done }) => `for what failed, ${inlineCode(decided)} and ${inlineCode(done)} differ`,
    ruledOutBy: ({ decided, done }) => `for what failed, ${inlineCode(decided)} and ${inlineCode(done)} agree`,
  },
  isUntrained: true,
  decides: { weight: 0.7 },
  isOrigin: () => true,
});
