import { z } from "zod";
import { gapKind } from "./gap-kind.ts";
import { errorList, namedError } from "./lists.ts";

export const errorsInValues = gapKind({
  name: "errors-in-values",
  means: "Errors inside a logged value",
  args: z.object({ errors: z.array(namedError).readonly() }),
  example: { errors: [{ type: "TypeError", place: "src/orders.ts:31" }] },
  sentence: ({ errors }) =>
    `Logged values: ${errorList(errors)} ${errors.length === 1 ? "was" : "were"} read as input.`,
});
