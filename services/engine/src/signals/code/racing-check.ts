import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A state that is checked, waited across, and then changed as if it were still as checked. */
export const racingCheck = codeKind({
  name: "racing-check",
  means: "A state is checked, then something is awaited, then the state is changed: two calls at once pass the check",
  args: z.object({
    check: z.string(),
    /** What it waits for in between; null where the check itself waits. */
    wait: z.string().nullable(),
    /** The call that changes the state. */
    act: z.string(),
  }),
  example: { check: "shelf.countOf(hour)", wait: "routeTo(address)", act: "shelf.put" },
  link: {
    what: ({ check, wait, act, place }) =>
      wait === null
        ? `${placeText(place)} checks ${inlineCode(check)} and then calls ${inlineCode(act)}, and another call can pass the same check in between`
        : `${placeText(place)} checks ${inlineCode(check)}, waits for ${inlineCode(wait)}, and calls ${inlineCode(act)} without checking again`,
    fix: ({ check, act, place }) => ({
      title: `Check and change in one step at ${placeText(place)}`,
      detail: `Hold a lock from ${inlineCode(check)} to ${inlineCode(act)}, or make the change itself conditional, such as by a unique constraint or an update with the expected value.`,
    }),
    prevent: ({ act }) => ({
      title: `Test ${inlineCode(act)} with two calls at once`,
      detail: "Start both before either has ended. One after the other, the check works.",
    }),
    confirmedBy: () => "the failure occurs only when two calls for the same thing overlap",
    ruledOutBy: () => "the failure occurs with a single call at a time",
  },
  isUntrained: true,
  decides: { weight: 0.75 },
  isOrigin: () => true,
  category: () => "concurrency",
});
