import { z } from "zod";
import { inlineCode, list, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A loop that nothing inside it ends, on the line where a thread was blocked. */
export const endlessLoop = codeKind({
  name: "endless-loop",
  means: "A thread was blocked in a loop that changes nothing its condition reads",
  args: z.object({
    /** The names that its condition reads; empty without a condition. */
    names: z.array(z.string()),
  }),
  example: { names: ["next"] },
  link: {
    what: ({ names, place }) =>
      names.length === 0
        ? `the loop at ${placeText(place)} has no end`
        : `the loop at ${placeText(place)} doesn't end once it begins: nothing in it changes ${list(names.map(inlineCode))}`,
    fix: ({ names, place }) => ({
      title: `End the loop at ${placeText(place)}`,
      detail:
        names.length === 0
          ? "Leave it when its work is done, and limit the number of rounds."
          : `Change ${list(names.map(inlineCode))} in each round, and limit the number of rounds.`,
    }),
    prevent: () => ({
      title: "Limit the rounds of each loop",
      detail: "A loop that throws after its maximum of rounds names its own place.",
    }),
    confirmedBy: () => "another stack of the blocked process shows the same loop",
    ruledOutBy: () => "another stack of the blocked process is elsewhere",
  },
  isUntrained: true,
  decides: { weight: 0.8 },
  isOrigin: () => true,
  category: () => "infinite-loop",
});
