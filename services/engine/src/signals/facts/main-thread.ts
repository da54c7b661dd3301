import { locationSchema } from "@whence/protocol";
import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";
import { factKind } from "./fact-kind.ts";

export const mainThread = factKind({
  name: "main-thread",
  means: "Where the main thread of a process was blocked",
  data: z.object({ instance: z.string(), top: z.string(), location: locationSchema.nullable() }),
  example: {
    instance: "instance-1",
    top: "at expandCategory (src/categories.ts:12:9)",
    location: { file: "src/categories.ts", line: 12, function: "expandCategory" },
  },
  evidence: ({ top }) => `the main thread was blocked in ${inlineCode(top)}`,
  isComputed: false,
  problems: ({ top }, excerpt) =>
    excerpt.includes(JSON.stringify(top).slice(1, -1)) ? [] : ["what blocked the main thread isn't in its stack"],
});
