import { z } from "zod";
import { count } from "../../words/prose.ts";
import { gapKind } from "./gap-kind.ts";

export const causesLeftOut = gapKind({
  name: "causes-left-out",
  means: "Causes in the middle of a chain that weren't read",
  args: z.object({ causes: z.number() }),
  example: { causes: 3 },
  sentence: ({ causes }) => `Text: ${count(causes, "cause")} in the middle of the chain not read.`,
});
