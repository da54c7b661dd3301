import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A constructor that doesn't set a field which its class reads. */
export const unsetField = codeKind({
  name: "unset-field",
  means: "A constructor doesn't set a field that its class reads, and no other code does",
  args: z.object({ field: z.string(), className: z.string() }),
  example: { field: "rows", className: "Desk" },
  link: {
    what: ({ field, className, place }) =>
      `${placeText(place)} doesn't set ${inlineCode(field)}, which other methods of ${inlineCode(className)} read, and no other code sets it`,
    fix: ({ field, place }) => ({
      title: `Set ${inlineCode(field)} at ${placeText(place)}`,
      detail: "It is missing in every object of the class, whatever the input.",
    }),
    prevent: ({ field, className }) => ({
      title: `Add a test that creates a ${inlineCode(className)} and calls what reads ${inlineCode(field)}`,
      detail: "A new object should have every field that its methods read.",
    }),
    confirmedBy: ({ field, className }) => `a new ${inlineCode(className)} has no ${inlineCode(field)}`,
    ruledOutBy: ({ field, className }) => `a new ${inlineCode(className)} has ${inlineCode(field)}`,
  },
  isUntrained: true,
  decides: { weight: 0.6 },
  isOrigin: () => true,
});
