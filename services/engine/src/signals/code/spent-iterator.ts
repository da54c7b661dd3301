import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A value whose elements can be read once, and that code reads twice. */
export const spentIterator = codeKind({
  name: "spent-iterator",
  means: "A generator, an iterator, or a stream is made here and read twice, so it is empty the second time",
  args: z.object({
    /** What makes it. */
    code: z.string(),
    /** The code that reads it first. */
    first: z.string(),
  }),
  example: { code: "(parse(row) for row in rows)", first: "sum(amounts)" },
  link: {
    what: ({ code, first, place }) =>
      `${placeText(place)} makes ${inlineCode(code)}, whose elements can be read only once, and ${inlineCode(first)} reads them first`,
    fix: ({ code, place }) => ({
      title: `Put the elements of ${inlineCode(code)} in a list at ${placeText(place)}`,
      detail: "A list can be read any number of times. Handling the empty case would hide that the elements are lost.",
    }),
    confirmedBy: ({ first }) => `a log line after ${inlineCode(first)} shows no more elements`,
    ruledOutBy: ({ first }) => `the elements are still there after ${inlineCode(first)}`,
  },
  isUntrained: true,
  decides: { weight: 0.7 },
  isOrigin: () => true,
});
