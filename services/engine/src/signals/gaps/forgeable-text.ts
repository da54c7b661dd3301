import { z } from "zod";
import { capital } from "../../words/prose.ts";
import { gapKind } from "./gap-kind.ts";
import { listed } from "./lists.ts";

export const forgeableText = gapKind({
  name: "forgeable-text",
  means: "The investigated error may be one that a part of the text was made to look like",
  args: z.object({
    /**
     * Calls that the message may have printed; a V8 stack longer than V8 keeps; a JSON name with two values; control
     * characters that move the cursor or erase text; an error that is only in a logged value.
     */
    signs: z
      .array(z.enum(["stack-in-message", "long-stack", "repeated-key", "terminal-control", "logged-value"]))
      .readonly(),
  }),
  example: { signs: ["repeated-key"] },
  sentence: ({ signs }) =>
    `Authenticity: parts of the text may come from input rather than from the program. ${capital(listed(signs.map((sign) => forgeryReasons[sign])))}.`,
});

const forgeryReasons = {
  "stack-in-message": "some of its stack frames may come from its message",
  "long-stack": "its stack has more than the 10 frames that V8 prints unless `Error.stackTraceLimit` is raised",
  "repeated-key": "a JSON key is repeated with a different value",
  "terminal-control": "control characters move the cursor or erase text",
  "logged-value": "it appears only inside a logged value",
} as const;
