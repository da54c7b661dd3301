import { z } from "zod";
import { inlineCode, list, placeText } from "../../words/prose.ts";
import { changeKind } from "./change-kind.ts";

export const only = changeKind({
  name: "only",
  means: "One of the few places that the release changed, with nothing else that leads there",
  args: z.object({
    /** The other files, the most changed first. */
    others: z.array(z.string()).readonly(),
  }),
  example: { others: ["src/stock.ts"] },
  text: ({ others }, place) => `changed only ${list([placeText(place), ...others.map((file) => inlineCode(file))])}`,
  order: () => 6,
});
