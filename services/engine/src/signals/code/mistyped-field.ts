import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A field that gets a value of another type than its class declares. */
export const mistypedField = codeKind({
  name: "mistyped-field",
  means: "A field had a value of another type than its class declares, and this code fills it without a conversion",
  args: z.object({
    /** The class and its field. */
    field: z.string(),
    declared: z.string(),
    /** What the value was, as the client copied it. */
    was: z.enum(["a number", "a text", "a boolean", "a list", "an object"]),
    /** The code whose value the field gets. */
    code: z.string(),
  }),
  example: { field: "Product.price", declared: "Decimal", was: "a number", code: 'entry["price"]' },
  link: {
    what: ({ field, declared, was, code, place }) =>
      `${placeText(place)} sets ${inlineCode(field)}, which is declared as ${inlineCode(declared)}, to ${inlineCode(code)}, which was ${was}`,
    fix: ({ declared, code, place }) => ({
      title: `Convert ${inlineCode(code)} to ${inlineCode(declared)} at ${placeText(place)}`,
      detail: "Refuse a value that can't be converted, so that the error names what was read.",
    }),
    prevent: ({ field }) => ({
      title: "Check types where data is read",
      detail: `Annotations of ${inlineCode(field)} aren't checked at run time: validate the data that it is made from.`,
    }),
    confirmedBy: ({ field, declared }) => `the failure stops once ${inlineCode(field)} is a ${inlineCode(declared)}`,
    ruledOutBy: ({ field, declared }) => `the failure occurs where ${inlineCode(field)} is a ${inlineCode(declared)}`,
  },
  isUntrained: true,
  decides: { weight: 0.8 },
  isOrigin: () => true,
  category: () => "type-mismatch",
});
