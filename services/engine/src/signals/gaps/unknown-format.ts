import { z } from "zod";
import { gapKind } from "./gap-kind.ts";

export const unknownFormat = gapKind({
  name: "unknown-format",
  means: "A text in no known format",
  args: z.object({ lines: z.number() }),
  example: { lines: 14 },
  sentence: () => "Stack: none in a known format. The text was read line by line.",
});
