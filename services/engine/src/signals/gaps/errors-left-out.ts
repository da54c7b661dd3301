import { z } from "zod";
import { count } from "../../words/prose.ts";
import { gapKind } from "./gap-kind.ts";

export const errorsLeftOut = gapKind({
  name: "errors-left-out",
  means: "Errors beyond the number that is read",
  args: z.object({ errors: z.number() }),
  example: { errors: 12 },
  sentence: ({ errors }) => `Text: ${count(errors, "more error")} not read.`,
});
