import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** Numbers that are keys of an object, and come back from JSON as texts. */
export const lostKeys = codeKind({
  name: "lost-keys",
  means: "An object that is looked up by a number is read from JSON, whose keys are texts",
  args: z.object({
    /** The call that reads it back. */
    parse: z.string(),
    /** The number, or what holds it. */
    key: z.string(),
    /** The code that hands the object on. */
    handed: z.string(),
  }),
  example: { parse: "json.loads", key: "number", handed: 'data["tables"]' },
  link: {
    what: ({ parse, key, handed, place }) =>
      `${placeText(place)} hands on ${inlineCode(handed)} with the keys that ${inlineCode(parse)} returned, which are texts, and ${inlineCode(key)} is a number`,
    fix: ({ handed, place }) => ({
      title: `Make the keys numbers again at ${placeText(place)}`,
      detail: `Convert each key of ${inlineCode(handed)} where it is read. JSON has no other keys than texts.`,
    }),
    prevent: ({ parse }) => ({
      title: `Test a lookup in what ${inlineCode(parse)} returns`,
      detail: "Write the object, read it back, and look up a key. The object that was written still has its numbers.",
    }),
    confirmedBy: () => "the keys of the object are texts",
    ruledOutBy: () => "the keys of the object are numbers",
  },
  isUntrained: true,
  decides: { weight: 0.75 },
  isOrigin: () => true,
  category: () => "type-mismatch",
});
