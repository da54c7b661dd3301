import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind, nearest } from "./code-kind.ts";
import { throwing, throwsHere } from "./throwing.ts";

/** A deliberate throw. */
export const deliberateThrow = codeKind({
  name: "deliberate-throw",
  means: "The code throws on purpose here",
  args: z.object({
    /** The condition of the throw, as written. */
    condition: z.string().nullable(),
  }),
  example: { condition: "stock < 1" },
  link: {
    what: ({ condition, place, thrown }) => {
      const throws = throwing(place, thrown);
      return condition === null ? throws : `${throws} when ${inlineCode(condition)}`;
    },
    fix: ({ condition, place }) =>
      condition === null
        ? null
        : {
            title: `Find out why ${inlineCode(condition)} is true`,
            detail: `${placeText(place)} throws under this condition. Log the values in it along with the error.`,
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
