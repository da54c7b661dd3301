import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A function that calls another one for its caller, such as a retry, and ends without a value after an error. */
export const silentWrapper = codeKind({
  name: "silent-wrapper",
  means: "A function that returns what another returns handles its error and ends without a value, which then fails",
  args: z.object({
    /** The function that it calls for its caller, by the name that it has there. */
    calls: z.string(),
  }),
  example: { calls: "operation" },
  link: {
    what: ({ calls, place }) =>
      `${placeText(place)} handles an error of ${inlineCode(calls)} and then ends without returning a value`,
    fix: ({ calls, place }) => ({
      title: `Raise the last error of ${inlineCode(calls)} at ${placeText(place)}`,
      detail: "Callers then see why the call failed, instead of a value that is missing.",
    }),
    prevent: ({ calls }) => ({
      title: `Test a ${inlineCode(calls)} that fails each time`,
      detail: "Expect its error, not a result.",
    }),
    confirmedBy: ({ calls }) => `${inlineCode(calls)} failed just before, and its error was only logged`,
    ruledOutBy: ({ calls }) => `${inlineCode(calls)} succeeded just before the failure`,
  },
  isUntrained: true,
  decides: { weight: 0.8 },
  isOrigin: () => true,
  category: () => "null-dereference",
});
