import { z } from "zod";
import { count } from "../../words/prose.ts";
import { gapKind } from "./gap-kind.ts";

export const framesWithoutText = gapKind({
  name: "frames-without-text",
  means: "Frames of own code without their source",
  args: z.object({ frames: z.number(), of: z.number() }),
  example: { frames: 2, of: 5 },
  sentence: ({ frames, of }) => `Source: missing for ${frames} of ${count(of, "own-code frame")}.`,
});
