import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";
import { gapKind } from "./gap-kind.ts";

export const fileNotGiven = gapKind({
  name: "file-not-given",
  means: "The failing value comes from one of the program's own files that wasn't given",
  args: z.object({
    /** What is imported or created, or the class of the object that is asked. */
    name: z.string(),
    /** A path, or the module as the import names it. */
    module: z.string(),
    /** The file that imports it. */
    file: z.string(),
  }),
  example: { name: "grader", module: "src/graders/registry.ts", file: "src/lines/run-line.ts" },
  sentence: ({ name, module }) =>
    isNamedInFull(name, module)
      ? `Source: ${inlineCode(module)} wasn't given.`
      : `Source: ${inlineCode(name)} is imported from ${inlineCode(module)}, which wasn't given.`,
});

/** Returns whether a module's name is that of the class in it: `shop.orders.Order`. */
export function isNamedInFull(name: string, module: string): boolean {
  return module.endsWith(`.${name}`);
}
