import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A number of pages that is one too many when the last page is full. */
export const pageCount = codeKind({
  name: "page-count",
  means: "A number of pages is rounded down and raised by 1, so there is an empty page after a full last one",
  args: z.object({
    code: z.string(),
    /** What is divided into pages. */
    total: z.string(),
    /** How many of it are on a page. */
    size: z.string(),
  }),
  example: { code: "Math.floor(total / perPage) + 1", total: "total", size: "perPage" },
  link: {
    what: ({ code, total, size, place }) =>
      `${placeText(place)} counts one page too many when ${inlineCode(total)} is a multiple of ${inlineCode(size)}: ${inlineCode(code)}`,
    fix: ({ total, size, place }) => ({
      title: `Round ${inlineCode(`${total} / ${size}`)} up at ${placeText(place)}`,
      detail: "Rounding down and adding 1 leaves an empty page after a full last one.",
    }),
    prevent: ({ total, size }) => ({
      title: `Add a test in which ${inlineCode(total)} is a multiple of ${inlineCode(size)}`,
      detail: "Ask for the last page, and for the one after it.",
    }),
    confirmedBy: ({ total, size }) =>
      `in the requests that failed, ${inlineCode(total)} is a multiple of ${inlineCode(size)}`,
    ruledOutBy: ({ total, size }) =>
      `${inlineCode(total)} isn't a multiple of ${inlineCode(size)} in a request that failed`,
  },
  category: () => "boundary",
  isUntrained: true,
  decides: { weight: 0.7 },
  isOrigin: () => true,
});
