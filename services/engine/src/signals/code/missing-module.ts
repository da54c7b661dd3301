import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** An import of a module that doesn't exist. */
export const missingModule = codeKind({
  name: "missing-module",
  means: "A module is imported here that the runtime didn't find",
  args: z.object({
    /** As written in the import. */
    module: z.string(),
  }),
  example: { module: "./tax-rates.ts" },
  link: {
    what: ({ module, place }) => `${placeText(place)} imports ${inlineCode(module)}, which isn't there`,
    fix: ({ module, place }) => ({
      title: `Correct the import at ${placeText(place)}, or deploy ${inlineCode(module)}`,
      detail: `Check that the path and its capitalization are right, and that the build copies ${inlineCode(module)}.`,
    }),
    prevent: ({ module }) => ({
      title: "Start the deployed artifact in CI",
      detail: `Start the image or package as it ships, because only there ${inlineCode(module)} is missing.`,
    }),
    ruledOutBy: ({ module }) => `the deployed files include ${inlineCode(module)}`,
  },
  missingModule: ({ module }) => module,
  // In the file that the runtime names.
  decides: { weight: 0.8 },
});
