import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** An error that is caught and dropped. */
export const swallowedError = codeKind({
  name: "swallowed-error",
  means: "An error is caught here and not passed on",
  args: z.object({ call: z.string().nullable() }),
  example: { call: "loadProfile" },
  link: {
    what: ({ call, place }) =>
      call === null
        ? `${placeText(place)} catches an error and drops it`
        : `${placeText(place)} catches the error of ${inlineCode(call)} and drops it`,
    fix: ({ place }) => ({
      title: `Pass the error on at ${placeText(place)}`,
      detail: "Rethrow it, or return a result that the caller can't mistake for success.",
    }),
    confirmedBy: ({ place }) => `logging the error caught at ${placeText(place)} shows an earlier failure`,
    ruledOutBy: ({ place }) => `nothing is caught at ${placeText(place)} for the input that failed`,
  },
});
