import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A column that code still reads under a name that a migration took away. */
export const renamedColumn = codeKind({
  name: "renamed-column",
  means: "Code reads a column under a name that a migration renamed or dropped",
  args: z.object({
    code: z.string(),
    column: z.string(),
    /** Its new name; null where it was dropped. */
    to: z.string().nullable(),
    /** The file of the migration. */
    migration: z.string(),
  }),
  example: { code: "row.country", column: "country", to: "country_code", migration: "migrations/003.sql" },
  link: {
    what: ({ code, column, to, migration, place }) =>
      `${placeText(place)} reads ${inlineCode(code)}, but ${inlineCode(baseOf(migration))} ${to === null ? `dropped ${inlineCode(column)}` : `renamed ${inlineCode(column)} to ${inlineCode(to)}`}`,
    fix: ({ column, to, migration, place }) => ({
      title:
        to === null
          ? `Stop reading ${inlineCode(column)} at ${placeText(place)}`
          : `Read ${inlineCode(to)} at ${placeText(place)}`,
      detail: `${inlineCode(baseOf(migration))} took ${inlineCode(column)} away, so each row lacks it.`,
    }),
    prevent: () => ({
      title: "Run the tests against a database with every migration",
      detail: "Search the code for a column's name in the same change that renames or drops it.",
    }),
    confirmedBy: ({ column }) => `the table has no column ${inlineCode(column)}`,
    ruledOutBy: ({ column }) =>
      `the table still has the column ${inlineCode(column)}, or the query gives a result that name`,
  },
  isUntrained: true,
  decides: { weight: 0.75 },
  isOrigin: () => true,
  category: () => "schema-drift",
});

function baseOf(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1);
}
