import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { thrownText } from "../../words/thrown.ts";
import { codeKind } from "./code-kind.ts";

/** The place that builds the error message, off the stack. */
export const messageSource = codeKind({
  name: "message-source",
  means: "The text of the error's message is put together here, in a file that isn't on the stack",
  args: z.object({ template: z.string() }),
  example: { template: "no stock of {sku}" },
  link: {
    what: ({ place, thrown }) =>
      `${placeText(place)} raises ${thrown === null ? "this error" : inlineCode(thrownText(thrown))}`,
    ruledOutBy: ({ template, place }) =>
      `the error is raised elsewhere than at ${placeText(place)}, which writes ${inlineCode(template)}`,
  },
  throws: "message",
});
