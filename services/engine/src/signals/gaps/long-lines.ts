import { z } from "zod";
import { count } from "../../words/prose.ts";
import { gapKind } from "./gap-kind.ts";

export const longLines = gapKind({
  name: "long-lines",
  means: "Lines that were read in part",
  args: z.object({ lines: z.number(), unitsRead: z.number() }),
  example: { lines: 3, unitsRead: 10_000 },
  sentence: ({ lines, unitsRead }) =>
    `Text: only the first ${unitsRead} characters of ${count(lines, "long line")} were read.`,
});
