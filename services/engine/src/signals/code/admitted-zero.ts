import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A check of input that accepts a zero which later code divides by. */
export const admittedZero = codeKind({
  name: "admitted-zero",
  means: "A check of input accepts 0 for a field, and the failing code divides by what is computed from the field",
  args: z.object({
    field: z.string(),
    /** The bound, as written. */
    code: z.string(),
    /** What was divided by. */
    divisor: z.string(),
  }),
  example: { field: "weight", code: "NumberRange(min=0)", divisor: "total_weight" },
  link: {
    what: ({ field, code, divisor, place }) =>
      `${placeText(place)} accepts 0 for ${inlineCode(field)} (${inlineCode(code)}), and ${inlineCode(divisor)} is computed from it`,
    fix: ({ field, place }) => ({
      title: `Decide whether ${inlineCode(field)} may be 0 at ${placeText(place)}`,
      detail: `If not, raise the bound, and correct the rows that already have 0. If it may, handle 0 before the division.`,
    }),
    prevent: ({ field }) => ({
      title: `Add a test in which every ${inlineCode(field)} is 0`,
      detail: "It should be refused, or not divided by.",
    }),
    confirmedBy: ({ field }) => `a stored ${inlineCode(field)} is 0`,
    ruledOutBy: ({ field }) => `no stored ${inlineCode(field)} is 0`,
  },
  isUntrained: true,
  decides: { weight: 0.55 },
  isOrigin: () => true,
  category: () => "data-validation",
});
