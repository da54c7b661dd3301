import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** Values that are made distinct before they are normalized, so that equal ones remain. */
export const earlyDistinct = codeKind({
  name: "early-distinct",
  means:
    "Values are made distinct before they are normalized, so equal ones remain, and a database refused a duplicate",
  args: z.object({
    /** The code that makes them distinct. */
    code: z.string(),
    /** The call that normalizes them afterwards. */
    normalizing: z.string(),
    /** What was refused: a table with its column. */
    refused: z.string(),
  }),
  example: { code: "new Set(tags)", normalizing: "toLowerCase", refused: "tags.name" },
  link: {
    what: ({ code, normalizing, refused, place }) =>
      `${placeText(place)} makes values distinct (${inlineCode(code)}) before ${inlineCode(normalizing)} makes some of them equal, and ${inlineCode(refused)} must be unique`,
    fix: ({ normalizing, place }) => ({
      title: `Call ${inlineCode(normalizing)} before the values are made distinct at ${placeText(place)}`,
      detail: "Values that differ only in case or in spaces are then one.",
    }),
    prevent: ({ normalizing }) => ({
      title: `Add a test with two values that ${inlineCode(normalizing)} makes equal`,
      detail: "Only one of them should remain.",
    }),
    confirmedBy: ({ normalizing }) =>
      `the request that failed has two values that ${inlineCode(normalizing)} makes equal`,
    ruledOutBy: ({ normalizing }) => `no two values of the request are equal after ${inlineCode(normalizing)}`,
  },
  isUntrained: true,
  decides: { weight: 0.75 },
  isOrigin: () => true,
  category: () => "data-validation",
});
