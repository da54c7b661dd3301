import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A promise that isn't awaited. */
export const missingAwait = codeKind({
  name: "missing-await",
  means: "A promise that nothing awaits, or that is used as if it were its value",
  args: z.object({
    callee: z.string(),
    how: z.enum(["forgotten", "in-callback", "as-value"]),
    /** The function that then failed, where it uses what the call was to prepare. */
    before: z.string().optional(),
  }),
  example: { callee: "saveOrder", how: "forgotten" },
  link: {
    what: ({ callee, how, before, place }) =>
      `${placeText(place)} ${awaitWords[how](inlineCode(callee))}${before === undefined ? "" : `, before ${inlineCode(before)} needs it`}`,
    fix: ({ callee, how, place }) =>
      how === "in-callback"
        ? {
            title: `Wait for the async callbacks of ${inlineCode(callee)} at ${placeText(place)}`,
            detail: "Use a `for...of` loop that awaits each call, or await `Promise.all` over the results of `map`.",
          }
        : {
            title: `Await ${inlineCode(callee)} at ${placeText(place)}`,
            detail: "Its value is then available when it is used, and its rejection reaches the caller.",
          },
    prevent: () => ({
      title: "Lint for floating promises",
      detail: "Turn on `no-floating-promises` and `no-misused-promises`: both find this place.",
    }),
    confirmedBy: ({ callee, how }) => `the failure stops once ${awaited(callee, how)}`,
    ruledOutBy: ({ callee, how }) => `the same failure occurs when ${awaited(callee, how)}`,
  },
  // Only events show that a rejection was unhandled; a stack shows what ran after the call.
  decides: {
    weight: 0.7,
    when: ({ how, before }, { isUnhandledRejection }) =>
      how === "forgotten" && (isUnhandledRejection || before !== undefined),
  },
  // Without an unhandled rejection, it is noted wherever there is one, a step away from the failure.
  isOrigin: ({ steps }) => steps === 0,
  repair: ({ callee, how }) => (how === "in-callback" ? [] : [{ by: "await", callee }]),
  category: () => "missing-await",
});

const awaitWords = {
  forgotten: (callee: string) => `calls ${callee} without awaiting it`,
  "in-callback": (callee: string) => `passes an async callback to ${callee}, which doesn't wait for it`,
  "as-value": (callee: string) => `uses the promise of ${callee} as if it were its value`,
} as const;

function awaited(callee: string, how: keyof typeof awaitWords): string {
  return how === "in-callback"
    ? `the callbacks of ${inlineCode(callee)} are awaited`
    : `${inlineCode(callee)} is awaited`;
}
