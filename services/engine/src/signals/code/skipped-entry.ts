import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A loop that drops the error of one round, so an entry is missing. */
export const skippedEntry = codeKind({
  name: "skipped-entry",
  means: "A loop that fills a collection drops an error and goes on, so the entry is missing without a trace",
  args: z.object({
    /** What may fail. */
    code: z.string(),
    /** The collection that lacks the entry; null for what a generator yields. */
    into: z.string().nullable(),
    /** Whether the entries after it are missing, too. */
    isLast: z.boolean(),
  }),
  example: { code: "int(row[1])", into: "prices", isLast: false },
  link: {
    what: ({ code, into, isLast, place }) => {
      const lacking = into === null ? "" : ` of ${inlineCode(into)}`;
      return isLast
        ? `${placeText(place)} drops the rest${lacking} when ${inlineCode(code)} fails, and goes on without it`
        : `${placeText(place)} skips an entry${lacking} when ${inlineCode(code)} fails, and goes on without it`;
    },
    fix: ({ code, place }) => ({
      title: `Report what is skipped at ${placeText(place)}`,
      detail: `Log the entry and the error of ${inlineCode(code)}, then correct the entry, or accept what it holds. If the entry is required, pass the error on.`,
    }),
    prevent: ({ code }) => ({
      title: `Test with an entry for which ${inlineCode(code)} fails`,
      detail: "The error should name the entry, before other code looks for it.",
    }),
    confirmedBy: ({ place }) => `logging the error at ${placeText(place)} shows the missing entry`,
    ruledOutBy: ({ place }) => `nothing is skipped at ${placeText(place)} for the input that failed`,
  },
  isUntrained: true,
  decides: { weight: 0.6 },
  isOrigin: () => true,
});
