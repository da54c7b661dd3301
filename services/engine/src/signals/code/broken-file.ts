import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A data file that can't be parsed. */
export const brokenFile = codeKind({
  name: "broken-file",
  means: "A data file that can't be parsed",
  args: z.object({
    format: z.string(),
    problem: z.string(),
    /** Whether the error reports the same problem. */
    isReported: z.boolean(),
  }),
  example: { format: "JSON", problem: "Expected ',' at line 4", isReported: true },
  link: {
    what: ({ format, problem, place }) =>
      `${placeText({ ...place, function: null })} isn't valid ${format}: ${inlineCode(problem)}`,
    fix: ({ format, place }) => ({
      title: `Correct ${placeText({ ...place, function: null })}`,
      detail: `Make it valid ${format} and deploy it again.`,
    }),
    prevent: ({ format, place }) => ({
      title: `Parse ${inlineCode(place.file)} in CI`,
      detail: `Fail the build when it isn't valid ${format}.`,
    }),
    ruledOutBy: ({ place, format }) => `${inlineCode(place.file)} as deployed is valid ${format}`,
  },
  // In the same words as the error, including the position.
  decides: { weight: 0.9, when: ({ isReported }) => isReported },
  category: () => "parse-error",
});
