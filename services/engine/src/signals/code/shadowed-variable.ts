import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A declaration that hides the variable which later code reads. */
export const shadowedVariable = codeKind({
  name: "shadowed-variable",
  means: "A block declares a variable of its own where it should set the one outside, which later code reads unset",
  args: z.object({ variable: z.string() }),
  example: { variable: "userId" },
  link: {
    what: ({ variable, place }) =>
      `${placeText(place)} declares another ${inlineCode(variable)} in a block, so the outer one is still unset when it is read after the block`,
    fix: ({ variable, place }) => ({
      title: `Set the outer ${inlineCode(variable)} at ${placeText(place)} instead of declaring another`,
      detail: "Values that were stored without it stay as they are: correct them, too.",
    }),
    prevent: () => ({
      title: "Have the linter refuse a variable that hides another",
      detail: "ESLint's rule is `no-shadow`; for Go, `go vet` has the analyzer `shadow`.",
    }),
    confirmedBy: ({ variable, place }) =>
      `logging ${inlineCode(variable)} after the block of ${placeText(place)} shows it unset`,
    ruledOutBy: ({ variable, place }) => `${inlineCode(variable)} is set after the block of ${placeText(place)}`,
  },
  isUntrained: true,
  decides: { weight: 0.7 },
  isOrigin: () => true,
});
