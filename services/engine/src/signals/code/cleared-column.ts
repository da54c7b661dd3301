import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A statement that sets a column to nothing which the failing code reads. */
export const clearedColumn = codeKind({
  name: "cleared-column",
  means: "A statement keeps a row and sets a column to `NULL`, and the failing code reads the column of such a row",
  args: z.object({ column: z.string(), table: z.string() }),
  example: { column: "email", table: "comments" },
  link: {
    what: ({ column, table, place }) =>
      `${placeText(place)} sets ${inlineCode(`${table}.${column}`)} to \`NULL\` and keeps the row`,
    fix: ({ column, place }) => ({
      title: `Decide whether a row without ${inlineCode(column)} may remain at ${placeText(place)}`,
      detail:
        "If so, leave such rows out where all of its values are needed. If not, keep the value or delete the row.",
    }),
    prevent: ({ column }) => ({
      title: `Add a test that lists rows after ${inlineCode(column)} was cleared`,
      detail: "What reads the rows should skip it, or do without the value.",
    }),
    confirmedBy: ({ column, table }) =>
      `a row of ${inlineCode(table)} that fails has \`NULL\` in ${inlineCode(column)}`,
    ruledOutBy: ({ column, table }) => `no row of ${inlineCode(table)} has \`NULL\` in ${inlineCode(column)}`,
  },
  isUntrained: true,
  decides: { weight: 0.6 },
  isOrigin: () => true,
});
