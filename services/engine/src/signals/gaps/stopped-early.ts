import { z } from "zod";
import { gapKind } from "./gap-kind.ts";

export const stoppedEarly = gapKind({
  name: "stopped-early",
  means: "Reading took too long, or too much memory: no code was read, and of a long text only the beginning",
  args: z.object({ textUnitsRead: z.number().nullable() }),
  example: { textUnitsRead: 65_536 },
  sentence: ({ textUnitsRead }) => {
    const text = textUnitsRead === null ? "" : ` Only the first ${textUnitsRead} characters of the text were read.`;
    return `Source: skipped. The investigation stopped early, because reading took too much time or memory.${text}`;
  },
});
