import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** An object that is stored as the language prints it, where JSON is read. */
export const unserializedText = codeKind({
  name: "unserialized-text",
  means: "A value is stored as the language prints it, and read back as JSON",
  args: z.object({
    /** The code that makes the text. */
    text: z.string(),
    /** The call that reads the text. */
    parse: z.string(),
  }),
  example: { text: "String(order)", parse: "JSON.parse" },
  link: {
    what: ({ text, parse, place }) =>
      `${placeText(place)} writes ${inlineCode(text)}, which isn't JSON, where ${inlineCode(parse)} reads it`,
    fix: ({ text, place }) => ({
      title: `Write JSON at ${placeText(place)}`,
      detail: `Serialize the value instead of ${inlineCode(text)}. What is already stored has to be converted or dropped.`,
    }),
    prevent: ({ parse }) => ({
      title: "Test that what is stored can be read back",
      detail: `Write a value and read it with ${inlineCode(parse)} in one test.`,
    }),
    confirmedBy: () => "the stored text has single quotes, `None`, `True`, or `[object Object]`",
    ruledOutBy: ({ parse }) => `the text that ${inlineCode(parse)} got is empty, or cut short`,
  },
  isUntrained: true,
  decides: { weight: 0.8 },
  isOrigin: () => true,
  category: () => "type-mismatch",
});
