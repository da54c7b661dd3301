import { z } from "zod";
import { placeText } from "../../words/prose.ts";
import { changeKind } from "./change-kind.ts";

export const data = changeKind({
  name: "data",
  means: "A file of data or settings that code on the failure's path names",
  args: z.object({
    /** The file that names it. */
    readBy: z.string(),
  }),
  example: { readBy: "src/prices.ts" },
  text: (_, place) => `changed ${placeText(place)}`,
  order: () => 4,
  weight: () => ({ near: 0.2, suspect: 0.35 }),
});
