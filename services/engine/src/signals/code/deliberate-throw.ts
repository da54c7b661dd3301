import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import type { Thrown } from "../../words/thrown.ts";
import { codeKind, nearest } from "./code-kind.ts";
import { throwing, throwsHere } from "./throwing.ts";

/** Returns whether a message has two figures or quoted texts: what was compared. */
function statesFigures(thrown: Thrown | null): boolean {
  return (thrown?.message.match(/(?<![\w.-])-?\d+(?:\.\d+)?(?![\w-])|'[^']+'|"[^"]+"/g) ?? []).length >= comparedValues;
}

const comparedValues = 2;

/** A deliberate throw. */
export const deliberateThrow = codeKind({
  name: "deliberate-throw",
  means: "The code throws on purpose here",
  args: z.object({
    /** The condition of the throw, as written. */
    condition: z.string().nullable(),
    /** Whether it throws where the condition is true. */
    isTrue: z.boolean(),
    /** Present for the call of a function that only throws. */
    isCall: z.literal(true).optional(),
    /** Present where the message has this before the text that the throw writes. */
    prefix: z.string().optional(),
  }),
  example: { condition: "stock < 1", isTrue: true },
  link: {
    what: ({ condition, isTrue, isCall, prefix, place, thrown }) => {
      const throws = isCall
        ? `${placeText(place)} makes the call that fails`
        : throwing(place, thrown, prefix !== undefined);
      return condition === null ? throws : `${throws} ${isTrue ? "when" : "unless"} ${inlineCode(condition)}`;
    },
    fix: ({ condition, isTrue, isCall, prefix, place, thrown }) =>
      condition === null
        ? null
        : {
            title: `Find out why ${inlineCode(condition)} is ${isTrue ? "true" : "false"}`,
            detail: `${placeText(place)} ${isCall ? "makes the call that fails" : "throws"} under this condition.${statesFigures(thrown) ? "" : " Log the values in it along with the error."}${prefix === undefined ? "" : ` Something caught the error and put ${inlineCode(prefix)} before its message.`}`,
          },
    ruledOutBy: ({ place }) => `the same error occurs with a stack that doesn't pass ${placeText(place)}`,
  },
  ranks: {
    file: (signals) => ({ "signal-deliberate-throw": nearest(signals) }),
    compared: { on: ["signal-deliberate-throw"], off: [] },
    place: throwsHere,
    failure: (signals) => ({ failureDeliberate: Number(signals.some(({ steps }) => steps === 0)) }),
  },
  throws: "here",
  isOnlySeen: () => true,
});
