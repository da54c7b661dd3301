import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { thrownText } from "../../words/thrown.ts";
import { codeKind } from "./code-kind.ts";
import { throwing, throwsHere } from "./throwing.ts";

/** The place where the runtime threw. */
export const throwSite = codeKind({
  name: "throw-site",
  means: "The runtime threw here",
  args: z.object({
    /** The expression that threw, as written. */
    expression: z.string().nullable(),
  }),
  example: { expression: "JSON.parse(body)" },
  link: {
    what: ({ expression, place, thrown }) => {
      if (expression === null) return throwing(place, thrown);
      const fails = `${placeText(place)} fails in ${inlineCode(expression)}`;
      return thrown === null ? fails : `${fails} with ${inlineCode(thrownText(thrown))}`;
    },
    ruledOutBy: ({ place }) => `the same error occurs with a stack that doesn't pass ${placeText(place)}`,
  },
  ranks: { place: throwsHere },
  throws: "here",
  isOnlySeen: () => true,
});
