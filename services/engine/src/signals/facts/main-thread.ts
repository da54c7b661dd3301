import { locationSchema } from "@whence/protocol";
import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";
import { factKind } from "./fact-kind.ts";

export const mainThread = factKind({
  name: "main-thread",
  means: "Where the main thread of a process was blocked",
  data: z.object({ instance: z.string(), top: z.string(), location: locationSchema.nullable() }),
  evidence: ({ top }) => `the main thread was blocked in ${inlineCode(top)}`,
  isComputed: false,
});
