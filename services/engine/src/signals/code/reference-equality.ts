import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A comparison that asks whether two values are one object, where they only have to be equal. */
export const referenceEquality = codeKind({
  name: "reference-equality",
  means: "Values are compared by reference, so two equal ones that are separate objects count as different",
  args: z.object({
    /** The comparison. */
    code: z.string(),
    /** The type of its sides. */
    type: z.string(),
  }),
  example: { code: "left == right", type: "String" },
  link: {
    what: ({ code, type, place }) =>
      `${placeText(place)} compares two values of type ${inlineCode(type)} by reference (${inlineCode(code)}), so equal ones that are separate objects count as different`,
    fix: ({ code, type, place }) => ({
      title: `Compare the contents instead of the objects in ${inlineCode(code)} at ${placeText(place)}`,
      detail: details[type] ?? "Use `equals`. `Objects.equals` also accepts missing values.",
    }),
    prevent: ({ type }) => ({
      title: `Let the linter reject comparisons of ${inlineCode(type)} by reference`,
      detail:
        "Small numbers and literals are often shared, so such a comparison works until a value is made at run time.",
    }),
    confirmedBy: ({ code }) => `both sides of ${inlineCode(code)} print the same value in the failing call`,
    ruledOutBy: ({ code }) => `the two sides of ${inlineCode(code)} print different values in the failing call`,
  },
  isUntrained: true,
  decides: { weight: 0.8 },
  isOrigin: () => true,
});

const details: Readonly<Record<string, string>> = {
  str: "Use `==` and `!=` for texts.",
  int: "Use `==` and `!=` for numbers.",
  Date: "Compare what `getTime()` returns.",
};
