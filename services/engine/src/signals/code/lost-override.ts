import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A merge in which a value is lost that should be in its result. */
export const lostOverride = codeKind({
  name: "lost-override",
  means: "Defaults are merged over the values that should override them, or a nested object replaces its default whole",
  args: z.object({
    code: z.string(),
    defaults: z.string(),
    /** What is merged with the defaults. */
    given: z.string(),
    /** The key whose nested object is replaced; null where the defaults come last. */
    key: z.string().nullable(),
    /** The nested key that is lost; null where the defaults come last. */
    lost: z.string().nullable(),
  }),
  example: { code: "{ ...branch, ...defaults }", defaults: "defaults", given: "branch", key: null, lost: null },
  link: {
    what: ({ code, defaults, given, key, lost, place }) =>
      key === null
        ? `${placeText(place)} merges ${inlineCode(defaults)} over ${inlineCode(given)} with ${inlineCode(code)}, so a default replaces what was set`
        : `${placeText(place)} replaces all of ${inlineCode(key)} with ${inlineCode(code)}, so ${inlineCode(lost ?? key)} of ${inlineCode(defaults)} is lost`,
    fix: ({ defaults, given, key, place }) =>
      key === null
        ? {
            title: `Merge ${inlineCode(given)} over ${inlineCode(defaults)} at ${placeText(place)}`,
            detail: "Put the defaults first: what is merged last wins.",
          }
        : {
            title: `Merge ${inlineCode(key)} key by key at ${placeText(place)}`,
            detail: `A partial ${inlineCode(key)} should override only the keys that it has.`,
          },
    prevent: ({ given, key }) => ({
      title: `Add a test that sets ${key === null ? `one key of ${inlineCode(given)}` : `one key of ${inlineCode(key)}`}`,
      detail: "The result should have this key as it was set, and all others from the defaults.",
    }),
    confirmedBy: ({ given, key, lost }) =>
      key === null
        ? `a value that ${inlineCode(given)} sets differs after the merge`
        : `${inlineCode(key)} has no ${inlineCode(lost ?? key)} after the merge`,
    ruledOutBy: ({ given, key, lost }) =>
      key === null
        ? `every value that ${inlineCode(given)} sets is unchanged after the merge`
        : `${inlineCode(key)} still has ${inlineCode(lost ?? key)} after the merge`,
  },
  isUntrained: true,
  decides: { weight: 0.7 },
  isOrigin: () => true,
});
