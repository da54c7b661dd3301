import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A product that is computed in 32 bits before it is used as a longer number. */
export const overflow = codeKind({
  name: "overflow",
  means:
    "A product of 32-bit numbers becomes a 64-bit number only after it is computed, and the error shows a negative one",
  args: z.object({ code: z.string() }),
  example: { code: "pieces * volume" },
  link: {
    what: ({ code, place }) =>
      `${placeText(place)} computes ${inlineCode(code)} as an ${inlineCode("int")}, which turns negative where the product is too large for it, before storing it as a ${inlineCode("long")}`,
    fix: ({ code, place }) => ({
      title: `Compute ${inlineCode(code)} as a ${inlineCode("long")} at ${placeText(place)}`,
      detail: "Cast the first factor: `(long) a * b`. A cast of the whole product comes too late.",
    }),
    prevent: ({ code }) => ({
      title: `Use ${inlineCode("Math.multiplyExact")} for ${inlineCode(code)}`,
      detail: "It throws where a product doesn't fit, instead of returning another number.",
    }),
    confirmedBy: ({ code }) => `${inlineCode(code)} is larger than its type holds for the input that failed`,
    ruledOutBy: ({ code }) => `${inlineCode(code)} fits into its type for the input that failed`,
  },
  isUntrained: true,
  decides: { weight: 0.8 },
  isOrigin: () => true,
});
