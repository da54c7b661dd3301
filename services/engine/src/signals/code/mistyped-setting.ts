import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A setting or option that is declared as text, which the failing code uses as a number. */
export const mistypedSetting = codeKind({
  name: "mistyped-setting",
  means: "A setting or an option is declared as text, and the failing code uses it as a number",
  args: z.object({
    setting: z.string(),
    /** The declared type; null where the declaration names none, so that it stays text. */
    declared: z.string().nullable(),
    /** The code that failed with it. */
    code: z.string(),
  }),
  example: { setting: "max_rows", declared: "str", code: "max_rows > 0" },
  link: {
    what: ({ setting, declared, code, place }) =>
      declared === null
        ? `${placeText(place)} declares ${inlineCode(setting)} without a type, so it stays text, but ${inlineCode(code)} needs a number`
        : `${placeText(place)} declares ${inlineCode(setting)} as ${inlineCode(declared)}, but ${inlineCode(code)} needs a number`,
    fix: ({ setting, place }) => ({
      title: `Declare ${inlineCode(setting)} as a number at ${placeText(place)}`,
      detail: "Then a value that isn't one is refused at the start.",
    }),
    prevent: ({ setting }) => ({
      title: `Add a test that reads ${inlineCode(setting)} from its source`,
      detail: "A test that passes a number itself doesn't see what is read.",
    }),
    confirmedBy: ({ setting }) => `logging the type of ${inlineCode(setting)} after it is read shows text`,
    ruledOutBy: ({ setting }) => `${inlineCode(setting)} is a number after it is read`,
  },
  isUntrained: true,
  decides: { weight: 0.7 },
  isOrigin: () => true,
  category: () => "bad-config",
});
