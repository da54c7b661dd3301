import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A key that is removed from an object that other code gets, too. */
export const removedKey = codeKind({
  name: "removed-key",
  means: "A key is removed from an object that is kept and handed out without a copy, and the failing code reads it",
  args: z.object({
    key: z.string(),
    /** The code that removes it. */
    code: z.string(),
  }),
  example: { key: "supplier", code: 'item.pop("supplier")' },
  link: {
    what: ({ key, code, place }) =>
      `${placeText(place)} removes ${inlineCode(key)} from an object that other code gets, too (${inlineCode(code)})`,
    fix: ({ key, place }) => ({
      title: `Copy the object before removing ${inlineCode(key)} at ${placeText(place)}`,
      detail: "Restart the service to read what was changed again.",
    }),
    prevent: ({ key }) => ({
      title: "Hand out copies of what is kept",
      detail: `An object that can't be changed fails where ${inlineCode(key)} is removed, not where it is missing.`,
    }),
    confirmedBy: ({ key, place }) => `${inlineCode(key)} is missing only after ${placeText(place)} has run`,
    ruledOutBy: ({ key, place }) => `${inlineCode(key)} is missing before ${placeText(place)} has run`,
  },
  isUntrained: true,
  isClearedByRestart: true,
  decides: { weight: 0.8 },
  isOrigin: () => true,
});
