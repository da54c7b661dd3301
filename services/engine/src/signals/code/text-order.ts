import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** The last number of a column of texts, which is the last in the order of texts. */
export const textOrder = codeKind({
  name: "text-order",
  means: "The highest number of a column is taken in the order of texts, in which 9 comes after 10",
  args: z.object({
    /** The table and the column. */
    column: z.string(),
    /** The type that the schema gives the column. */
    type: z.string(),
    how: z.enum(["maximum", "order"]),
  }),
  example: { column: "orders.number", type: "TEXT", how: "maximum" },
  link: {
    what: ({ column, type, how, place }) =>
      `${placeText(place)} ${how === "maximum" ? "takes the maximum of" : "orders by"} ${inlineCode(column)}, which is ${inlineCode(type)}: a number that has one digit more comes first in the order of texts, and the next number is given out again`,
    fix: ({ column, place }) => ({
      title: `Compare ${inlineCode(column)} as a number at ${placeText(place)}`,
      detail: "Cast the part that counts to an integer in the query, or keep the last number in a column of its own.",
    }),
    prevent: ({ column }) => ({
      title: `Add a test in which ${inlineCode(column)} goes from 9 to 10, and once more`,
      detail: "The order of texts and that of numbers agree while all numbers have the same number of digits.",
    }),
    confirmedBy: ({ column }) =>
      `a row of ${inlineCode(column)} has one digit more than the one that the query returns`,
    ruledOutBy: ({ column }) => `all numbers in ${inlineCode(column)} have the same number of digits`,
  },
  isUntrained: true,
  decides: { weight: 0.8 },
  isOrigin: () => true,
  category: () => "type-mismatch",
});
