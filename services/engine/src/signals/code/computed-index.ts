import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

const how = z.enum(["not-found", "not-found-at-end", "rounded", "past-end", "negative-remainder"]);
type How = z.infer<typeof how>;

/** An index that can be outside what it is used on, by how it is computed. */
export const computedIndex = codeKind({
  name: "computed-index",
  means:
    "An index is computed so that it can be out of range: by a search that found nothing, by rounding up, by `<=`, or as the remainder of a negative number",
  args: z.object({
    how,
    /** The code that computes it. */
    code: z.string(),
    /** The code that uses it. */
    use: z.string(),
    /** Whether it is the end of a slice rather than the index of an element. */
    isSliced: z.boolean(),
  }),
  example: { how: "not-found", code: "sizes.indexOf(size)", use: "drills[index]", isSliced: false },
  link: {
    what: ({ how, code, use, place }) =>
      `In ${placeText(place)}, ${inlineCode(code)} ${reasons[how]}, and ${inlineCode(use)} uses it unchecked`,
    fix: ({ how, code, place }) => ({
      title: `${fixes[how]} ${inlineCode(code)} at ${placeText(place)}`,
      detail: details[how],
    }),
    prevent: ({ how }) => ({ title: "Add a test for the edge of the range", detail: tests[how] }),
    confirmedBy: ({ how, code }) => `${inlineCode(code)} ${values[how]} for the input that failed`,
    ruledOutBy: ({ code }) => `${inlineCode(code)} is within the range for the input that failed`,
  },
  isUntrained: true,
  // What was sought in a list may be what is wrong.
  decides: { weight: 0.8, when: ({ how, isSliced }) => how !== "not-found" || isSliced },
  isOrigin: () => true,
});

const reasons: Readonly<Record<How, string>> = {
  "not-found": "is -1 when nothing is found",
  "not-found-at-end": "is the length when nothing comes after the value",
  rounded: "can round up to the length, one past the last index",
  "past-end": "includes the length, one past the last index",
  "negative-remainder": "is negative when its left side is",
};
const fixes: Readonly<Record<How, string>> = {
  "not-found": "Handle -1 from",
  "not-found-at-end": "Handle the length as the result of",
  rounded: "Round down, or limit,",
  "past-end": "Use `<` in",
  "negative-remainder": "Make the remainder positive in",
};
const details: Readonly<Record<How, string>> = {
  "not-found": "Decide what the code should do when nothing is found: report it, or use a value that is meant for it.",
  "not-found-at-end": "For the last element at or before a value, subtract 1, and handle a value before the first one.",
  rounded: "The last index is the length minus 1. If the values go around, take the remainder of the length.",
  "past-end": "The last index is the length minus 1.",
  "negative-remainder": "Add the divisor before taking the remainder: `((a % n) + n) % n`.",
};
const tests: Readonly<Record<How, string>> = {
  "not-found": "Search for something that isn't there.",
  "not-found-at-end": "Search for a value beyond the last one.",
  rounded: "Use a value just below the end of the range.",
  "past-end": "Use a collection in which every element is read.",
  "negative-remainder": "Use values whose difference is negative.",
};
const values: Readonly<Record<How, string>> = {
  "not-found": "is -1",
  "not-found-at-end": "is the length",
  rounded: "is the length",
  "past-end": "is true for the length",
  "negative-remainder": "is negative",
};
