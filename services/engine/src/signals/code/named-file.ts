import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** The name of a data file that can't be parsed. */
export const namedFile = codeKind({
  name: "named-file",
  means: "The path of a data file whose text was read and refused is spelled here",
  args: z.object({
    /** As written. */
    name: z.string(),
    /** The attached file of that name, if any. */
    file: z.string(),
  }),
  example: { name: "config/rates.json", file: "config/rates.json" },
  link: {
    what: ({ name, place }) => `the text of ${inlineCode(name)}, named at ${placeText(place)}, can't be parsed`,
    fix: ({ name, place }) => ({
      title: `Restore ${inlineCode(name)} on the hosts that fail`,
      detail: `Check that it is complete and valid there. If a setting names another file than ${placeText(place)} does, check that one.`,
    }),
    prevent: ({ name }) => ({
      title: `Check ${inlineCode(name)} when it is written`,
      detail: "Parse what is written before it replaces the file in use, and keep the last valid one.",
    }),
    confirmedBy: ({ name }) => `a parser refuses ${inlineCode(name)} on a host that fails`,
    ruledOutBy: ({ name }) => `a parser accepts ${inlineCode(name)} on a host that fails`,
  },
  // A setting may name another file.
  decides: { weight: 0.55 },
  file: ({ file }) => file,
  category: () => "parse-error",
});
