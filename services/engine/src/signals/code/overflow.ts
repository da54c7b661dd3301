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
      `${placeText(place)} computes ${inlineCode(code)} as an ${inlineCode("int")}, which becomes negative beyond 2,147,483,647, before storing it as a ${inlineCode("long")}`,
    fix: ({ code, place }) => ({
      title: `Compute ${inlineCode(code)} as a ${inlineCode("long")} at ${placeText(place)}`,
      detail: "Cast the first factor: `(long) a * b`. A cast of the whole product comes too late.",
    }),
    prevent: ({ code }) => ({
      title: `Use ${inlineCode("Math.multiplyExact")} for ${inlineCode(code)}`,
      detail: "It throws where a product doesn't fit, instead of returning another number.",
    }),
    confirmedBy: ({ code }) => `${inlineCode(code)} is larger than 2,147,483,647 for the input that failed`,
    ruledOutBy: ({ code }) => `${inlineCode(code)} fits into 32 bits for the input that failed`,
  },
  isUntrained: true,
  decides: { weight: 0.8 },
  isOrigin: () => true,
});
