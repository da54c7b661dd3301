import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A retry that repeats a write. */
export const repeatedWrite = codeKind({
  name: "repeated-write",
  means: "A retry repeats a write that an earlier attempt has already made",
  args: z.object({
    /** The call that is retried. */
    code: z.string(),
    /** The call that writes, before something else that may fail. */
    write: z.string(),
    /** Whether the retry is on the stack; otherwise the place is the write. */
    isOnStack: z.boolean(),
  }),
  example: { code: "retry(() => this.place(order))", write: "this.orders.insert(order)", isOnStack: true },
  link: {
    what: ({ code, write, isOnStack, place }) =>
      !isOnStack
        ? `${placeText(place)} adds with ${inlineCode(write)} in every attempt of ${inlineCode(code)}, and keeps what a failed attempt added`
        : `${placeText(place)} calls ${inlineCode(code)}, which runs ${inlineCode(write)} again after an attempt that failed later`,
    fix: ({ code, write, isOnStack, place }) =>
      isOnStack
        ? {
            title: `Take ${inlineCode(write)} out of the retry at ${placeText(place)}`,
            detail: "Write once before the retry, or roll back what a failed attempt has written.",
          }
        : {
            title: `Add only what succeeded at ${placeText(place)}`,
            detail: `Collect in a local variable, or move ${inlineCode(write)} after what may fail: ${inlineCode(code)} runs it again.`,
          },
    prevent: ({ code, write }) => ({
      title: `Add a test in which the first attempt fails after ${inlineCode(write)}`,
      detail: `The next attempt of ${inlineCode(code)} should succeed, with nothing there twice.`,
    }),
    confirmedBy: ({ write }) => `the log shows a failed attempt after ${inlineCode(write)} for the same key`,
    ruledOutBy: ({ code }) => `no attempt of ${inlineCode(code)} failed before this error`,
  },
  isUntrained: true,
  decides: { weight: 0.7 },
  isOrigin: () => true,
});
