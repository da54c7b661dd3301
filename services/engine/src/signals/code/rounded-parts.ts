import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** Parts of a whole that are rounded one by one. */
export const roundedParts = codeKind({
  name: "rounded-parts",
  means: "Each part of a whole is rounded on its own, so the parts needn't add up to the whole",
  args: z.object({ code: z.string(), whole: z.string() }),
  example: { code: "Math.round(total * share)", whole: "total" },
  link: {
    what: ({ code, whole, place }) =>
      `${placeText(place)} rounds each part of ${inlineCode(whole)} separately with ${inlineCode(code)}, so the parts needn't add up to it`,
    fix: ({ whole, place }) => ({
      title: `Give what rounding leaves of ${inlineCode(whole)} to one of the parts at ${placeText(place)}`,
      detail: "Compute the last part as the whole minus the others, or hand out the remainder unit by unit.",
    }),
    prevent: ({ whole }) => ({
      title: `Add a test that sums the parts of ${inlineCode(whole)}`,
      detail: "Use wholes that don't divide evenly, such as 100 in 3 parts.",
    }),
    confirmedBy: ({ whole }) => `the sum differs from ${inlineCode(whole)} by less than one unit for each part`,
    ruledOutBy: ({ whole }) => `the sum differs from ${inlineCode(whole)} by more than one unit for each part`,
  },
  isUntrained: true,
  decides: { weight: 0.6 },
  isOrigin: () => true,
});
