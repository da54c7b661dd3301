import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind, nearest } from "./code-kind.ts";

/** Returns whether a value is a port, an address, a host, or a path, which differ between environments. */
function isOfEnvironment(value: string): boolean {
  return /^\d+$|[/:]|\w\.\w/.test(value);
}

/** A literal that the error names. */
export const literalInMessage = codeKind({
  name: "literal-in-message",
  means: "The code spells a value that the error complains of",
  args: z.object({
    value: z.string(),
    /** Whether it is text or data there, rather than a name that the code uses. */
    isLiteral: z.boolean(),
  }),
  example: { value: "127.0.0.1:5433", isLiteral: true },
  link: {
    what: ({ value, isLiteral, place }) =>
      `${placeText(place)} ${isLiteral ? "has" : "uses"} ${inlineCode(value)}, which the error names`,
    fix: ({ value, isLiteral, place }) =>
      isLiteral
        ? {
            title: `Check ${inlineCode(value)} at ${placeText(place)}`,
            detail: "The error names it. If it is wrong there, correct it, deploy the change, and restart the service.",
          }
        : null,
    prevent: ({ value, isLiteral, place }) =>
      isLiteral && isOfEnvironment(value)
        ? {
            title: `Check ${placeText(place)} before it ships`,
            detail: `Test that ${inlineCode(value)} works in the environment that it is meant for.`,
          }
        : null,
    ruledOutBy: ({ value }) => `the process that failed ran with a value other than ${inlineCode(value)}`,
  },
  ranks: {
    file: (signals) => ({ "signal-literal-in-message": nearest(signals) }),
    compared: { on: [], off: ["signal-literal-in-message"] },
  },
});
