import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** An import of a name that isn't exported. */
export const missingExport = codeKind({
  name: "missing-export",
  means: "A name is imported that the module doesn't export, or exports under another name",
  args: z.object({ name: z.string(), module: z.string(), similar: z.string().nullable() }),
  example: { name: "formatPrice", module: "./money.ts", similar: "formatMoney" },
  link: {
    what: ({ name, module, place }) =>
      `${placeText(place)} imports ${inlineCode(name)}, which ${inlineCode(module)} doesn't export`,
    fix: ({ name, module, similar, place }) =>
      similar === null
        ? {
            title: `Correct the import at ${placeText(place)}`,
            detail: `${inlineCode(module)} has no ${inlineCode(name)}.`,
          }
        : {
            title: `Import ${inlineCode(similar)} at ${placeText(place)}`,
            detail: `${inlineCode(module)} exports ${inlineCode(similar)}, not ${inlineCode(name)}.`,
          },
    prevent: ({ module }) => ({
      title: "Type-check imports in CI",
      detail: `Check them against the version of ${inlineCode(module)} that is deployed.`,
    }),
    ruledOutBy: ({ name, module }) => `the deployed ${inlineCode(module)} exports ${inlineCode(name)}`,
  },
  repair: ({ name }) => [{ by: "export", name }],
  missingNames: ({ name }) => [name],
});
