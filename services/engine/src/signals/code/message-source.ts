import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { thrownText } from "../../words/thrown.ts";
import { codeKind } from "./code-kind.ts";

/** The place that builds the error message, off the stack. */
export const messageSource = codeKind({
  name: "message-source",
  means: "The text of the error's message is put together here, in a file that isn't on the stack",
  args: z.object({
    template: z.string(),
    /** Whether it is only logged there, rather than raised. */
    isLogged: z.boolean().optional(),
  }),
  example: { template: "no stock of {sku}" },
  link: {
    what: ({ place, thrown, isLogged }) =>
      `${placeText(place)} ${isLogged ? "logs" : "raises"} ${thrown === null ? "this error" : inlineCode(thrownText(thrown))}`,
    ruledOutBy: ({ template, place, isLogged }) =>
      `the error is ${isLogged ? "logged" : "raised"} elsewhere than at ${placeText(place)}, which writes ${inlineCode(template)}`,
  },
  throws: "message",
});
