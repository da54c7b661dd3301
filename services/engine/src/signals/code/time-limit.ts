import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** The time limit that passed. */
export const timeLimit = codeKind({
  name: "time-limit",
  means: "The time limit that the error reports is set here",
  args: z.object({ code: z.string(), limit: z.string() }),
  example: { code: "AbortSignal.timeout(limitMs)", limit: "limitMs" },
  link: {
    what: ({ code, place }) => `${placeText(place)} sets the time limit that passed: ${inlineCode(code)}`,
    fix: ({ limit, place }) => ({
      title: `Check the value and unit of ${inlineCode(limit)} at ${placeText(place)}`,
      detail: "If the limit is as intended, find out why the call takes longer.",
    }),
    prevent: ({ limit }) => ({
      title: `Put the value of ${inlineCode(limit)} in the error`,
      detail: "A timer's error has no stack: wrap it in one that names the call and the limit.",
    }),
    confirmedBy: ({ limit }) => `the call failed after the time that ${inlineCode(limit)} has in this process`,
    ruledOutBy: ({ limit }) => `the call failed long before or after ${inlineCode(limit)}`,
  },
  isUntrained: true,
  decides: { weight: 0.4 },
});
