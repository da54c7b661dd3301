import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A check that converts a value leniently, and passes on the value as it was. */
export const lenientCheck = codeKind({
  name: "lenient-check",
  means: "A check converts a value leniently and drops the result, so the value that it passes on may not be valid",
  args: z.object({
    /** The conversion, as written. */
    check: z.string(),
    /** The field under which the value is passed on. */
    field: z.string(),
  }),
  example: { check: "semver.coerce(text)", field: "version" },
  link: {
    what: ({ check, field, place }) =>
      `${placeText(place)} accepts whatever ${inlineCode(check)} can convert, and passes on ${inlineCode(field)} as it was`,
    fix: ({ check, field, place }) => ({
      title: `Reject a ${inlineCode(field)} that isn't valid as it is at ${placeText(place)}`,
      detail: `Or pass on what ${inlineCode(check)} returns.`,
    }),
    prevent: ({ field, check }) => ({
      title: `Add a test with a ${inlineCode(field)} that only ${inlineCode(check)} accepts`,
      detail: "It should be rejected there, or arrive converted.",
    }),
    confirmedBy: ({ check }) => `the value in the error is one that ${inlineCode(check)} converts to another`,
    ruledOutBy: ({ check }) => `the value in the error is one that ${inlineCode(check)} returns as it is`,
  },
  isUntrained: true,
  decides: { weight: 0.6 },
  isOrigin: () => true,
  category: () => "data-validation",
});
