import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { changeKind } from "./change-kind.ts";

export const name = changeKind({
  name: "name",
  means: "A field, key, function, column, or table that the code misses was removed, renamed, or made differently",
  args: z.object({
    name: z.string(),
    change: z.enum(["removed", "renamed", "changed"]),
    renamedTo: z.string().nullable(),
    /** Whether a migration did it, to a column or table. */
    isOfDatabase: z.boolean().optional(),
  }),
  example: { name: "amount", change: "renamed", renamedTo: "total" },
  text: ({ name: changed, change, renamedTo, isOfDatabase }, place) => {
    if (renamedTo !== null) return `renamed ${inlineCode(changed)} to ${inlineCode(renamedTo)} in ${placeText(place)}`;
    if (isOfDatabase) return `dropped ${inlineCode(changed)} in ${placeText(place)}`;
    return change === "removed"
      ? `removed ${inlineCode(changed)} from ${inlineCode(place.file)}`
      : `changed how ${placeText(place)} makes ${inlineCode(changed)}`;
  },
  order: ({ change }) => (change === "changed" ? 4 : 0),
  weight: ({ change }) => (change === "changed" ? { near: 0.3, suspect: 0.45 } : { near: 0.55, suspect: 0.7 }),
});
