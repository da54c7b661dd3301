import { z } from "zod";
import { count, inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A share of an exhausted resource that a function takes without releasing it. */
export const keptResource = codeKind({
  name: "kept-resource",
  means: "Something ran out, and this function doesn't give back what it takes of it, as the others do",
  args: z.object({
    acquire: z.string(),
    how: z.enum(["never", "unless-left"]),
    /** The line where the function can leave without giving it back; null if it never does. */
    leavesAtLine: z.number().nullable(),
    /** How many calls take a share. */
    uses: z.number(),
  }),
  example: { acquire: "pool.acquire", how: "unless-left", leavesAtLine: 34, uses: 5 },
  link: {
    what: ({ acquire, how, leavesAtLine, place }) =>
      how === "never"
        ? `${placeText(place)} never releases what ${inlineCode(acquire)} gives it`
        : `${placeText(place)} leaves at line ${leavesAtLine} without releasing what ${inlineCode(acquire)} gave it`,
    fix: ({ acquire, place }) => ({
      title: `Release the result of ${inlineCode(acquire)} at ${placeText(place)}`,
      detail: "Restart the service to free what it holds now, then release it in a `finally`.",
    }),
    prevent: ({ acquire, uses }) => ({
      title: "Acquire and release in one function",
      detail: `Wrap ${inlineCode(acquire)}, which is called in ${count(uses, "place")}, in a function that takes a callback and releases afterwards.`,
    }),
    confirmedBy: ({ acquire }) => `the number of ${inlineCode(acquire)} in use rises each time this function runs`,
    ruledOutBy: ({ acquire }) => `the number of ${inlineCode(acquire)} in use falls back after this function has run`,
  },
  repair: ({ acquire }) => [{ by: "release", acquire }],
  isUntrained: true,
  decides: { weight: 0.8 },
  isOrigin: () => true,
  category: () => "resource-exhaustion",
});
