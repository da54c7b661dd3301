import { z } from "zod";
import { inlineCode, list, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A regular expression that backtracks, on the line where a thread was blocked. */
export const backtrackingPattern = codeKind({
  name: "backtracking-pattern",
  means: "A thread was blocked while it matched a regular expression that backtracks",
  args: z.object({
    /** As it is written. */
    pattern: z.string(),
    growth: z.enum(["exponential", "polynomial"]),
    /** Its repeated parts that match the same characters; the outer one first. */
    repeats: z.array(z.string()).min(1),
  }),
  example: { pattern: "/^(\\w+\\s?)+$/", growth: "exponential", repeats: ["(\\w+\\s?)+", "\\w+"] },
  link: {
    what: ({ pattern, growth, repeats, place }) =>
      `${inlineCode(pattern)} at ${placeText(place)} backtracks: ${overlap(repeats)}, which takes ${growth} time`,
    fix: ({ repeats, place }) => ({
      title: `Rewrite the regular expression at ${placeText(place)}`,
      detail: `Let ${list(repeats.map(inlineCode))} match a character in one way only, and limit the length of the text before it is matched. Restart what is blocked: a match that has begun can't be stopped.`,
    }),
    prevent: () => ({
      title: "Check regular expressions before a release",
      detail:
        "A linter finds those that backtrack, such as `eslint-plugin-regexp` with `no-super-linear-backtracking`.",
    }),
    confirmedBy: ({ pattern }) =>
      `the time that ${inlineCode(pattern)} takes multiplies with each character added to the text`,
    ruledOutBy: ({ pattern }) => `${inlineCode(pattern)} ends quickly on the text of the blocked request`,
  },
  isUntrained: true,
  decides: { weight: 0.9 },
  isOrigin: () => true,
  category: () => "infinite-loop",
});

function overlap(repeats: readonly string[]): string {
  const [outer = "", inner] = repeats.map(inlineCode);
  return inner === undefined
    ? `${outer} matches the same text in many ways`
    : `${outer} and ${inner} match the same characters`;
}
