import type { Category } from "@whence/protocol";
import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A resource that isn't released. */
export const unreleasedResource = codeKind({
  name: "unreleased-resource",
  means: "What was acquired isn't released on every path",
  args: z.object({
    acquire: z.string(),
    /** The line where the function can leave early; null when unknown. */
    leavesAtLine: z.number().nullable(),
  }),
  example: { acquire: "pool.connect", leavesAtLine: 34 },
  link: {
    what: ({ acquire, leavesAtLine, place }) =>
      leavesAtLine === null
        ? `${placeText(place)} doesn't release the result of ${inlineCode(acquire)} on every path`
        : `${placeText(place)} can exit at line ${leavesAtLine} without releasing the result of ${inlineCode(acquire)}`,
    fix: ({ acquire, place }) => ({
      title: `Release the result of ${inlineCode(acquire)} at ${placeText(place)}`,
      detail: "Restart the service to free what it holds now, then release it in a `finally`.",
    }),
    prevent: ({ acquire }) => ({
      title: "Acquire and release in one function",
      detail: `Wrap ${inlineCode(acquire)} in a function that takes a callback and releases afterwards, and report how many are in use.`,
    }),
    confirmedBy: ({ acquire }) => `the number of ${inlineCode(acquire)} in use stays up after the requests have ended`,
    ruledOutBy: ({ acquire }) => `the number of ${inlineCode(acquire)} in use falls back once the requests have ended`,
  },
  repair: ({ acquire }) => [{ by: "release", acquire }],
  isOrigin: () => true,
  category: (said) => (exhausted.has(said) ? "resource-exhaustion" : null),
});

/** The categories that errors of an exhausted resource have. */
const exhausted: ReadonlySet<Category> = new Set<Category>(["timeout", "unknown", "resource-exhaustion"]);
