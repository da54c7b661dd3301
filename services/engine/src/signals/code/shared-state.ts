import { z } from "zod";
import { count, inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** State that several functions change. */
export const sharedState = codeKind({
  name: "shared-state",
  means: "A file, module-level name, or field that the failing code reads and that other functions write",
  args: z.object({ name: z.string(), writers: z.number() }),
  example: { name: "currentTenant", writers: 2 },
  link: {
    what: ({ name, writers, place }) =>
      writers > 0
        ? `${placeText(place)} uses ${inlineCode(name)}, which ${count(writers, "other function")} ${writers === 1 ? "changes" : "change"}`
        : `${placeText(place)} uses ${inlineCode(name)}, which is shared`,
    fix: ({ name, place }) => ({
      title: `Stop sharing ${inlineCode(name)}`,
      detail: `Give each caller its own copy at ${placeText(place)}, or guard the changes.`,
    }),
    prevent: ({ name }) => ({
      title: `Test ${inlineCode(name)} under concurrency`,
      detail: "Run the failing path twice at the same time and compare the results.",
    }),
    confirmedBy: ({ name }) => `the failure stops when ${inlineCode(name)} is no longer shared`,
    ruledOutBy: ({ name }) => `nothing else changes ${inlineCode(name)} while the failing call runs`,
  },
  isOnlySeen: () => true,
});
