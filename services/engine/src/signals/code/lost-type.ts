import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** An object that a trip through JSON made plain. */
export const lostType = codeKind({
  name: "lost-type",
  means:
    "The failing value was written as JSON and read back, and what the failing code uses of it doesn't survive that",
  args: z.object({
    /** The call that reads it back. */
    parse: z.string(),
    /** The method or field that is gone; null where the value is iterated. */
    member: z.string().nullable(),
    /** What it was before; null when the code doesn't show it. */
    type: z.string().nullable(),
  }),
  example: { parse: "JSON.parse", member: "getFullYear", type: "Date" },
  link: {
    what: ({ parse, member, type, place }) =>
      `${placeText(place)} reads ${type === null ? "the value" : `a ${inlineCode(type)}`} back with ${inlineCode(parse)}${member === null ? "" : `, which doesn't restore ${inlineCode(member)}`}`,
    fix: ({ type, place }) => ({
      title: `Restore ${type === null ? "the type" : `the ${inlineCode(type)}`} at ${placeText(place)}`,
      detail:
        type === null
          ? "Rebuild the object from what was read, or keep the object itself instead of its JSON."
          : `Build a ${inlineCode(type)} from what was read, or keep the object itself instead of its JSON.`,
    }),
    prevent: ({ parse }) => ({
      title: `Test the second read of what ${inlineCode(parse)} returns`,
      detail: "The first read often returns the original, so only a value that was stored before shows the difference.",
    }),
    confirmedBy: ({ parse }) => `the failure occurs only for values that ${inlineCode(parse)} returned`,
    ruledOutBy: ({ parse }) => `the failing value never passed through ${inlineCode(parse)}`,
  },
  repair: ({ parse, type }) => [{ by: "type", parse, type }],
  isUntrained: true,
  decides: { weight: 0.8 },
  isOrigin: () => true,
  category: () => "type-mismatch",
});
