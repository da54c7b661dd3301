import { z } from "zod";
import { gapKind } from "./gap-kind.ts";
import { errorList, namedError } from "./lists.ts";

export const rivalErrors = gapKind({
  name: "rival-errors",
  means: "Errors that might be the failure as well, and that weren't followed",
  args: z.object({ errors: z.array(namedError).readonly() }),
  example: { errors: [{ type: "RangeError", place: "src/stock.ts:12" }] },
  sentence: ({ errors }) =>
    `Other errors: ${errorList(errors)} ${errors.length === 1 ? "wasn't" : "weren't"} followed.`,
});
