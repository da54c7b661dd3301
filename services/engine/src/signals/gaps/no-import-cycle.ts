import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";
import { gapKind } from "./gap-kind.ts";

export const noImportCycle = gapKind({
  name: "no-import-cycle",
  means: "The given files have no import cycle, though the error shows that an imported file was still loading",
  args: z.object({ file: z.string() }),
  example: { file: "src/orders/order.ts" },
  sentence: ({ file }) =>
    `Imports: no cycle through ${inlineCode(file)} was found in the given files, so it runs through others.`,
});
