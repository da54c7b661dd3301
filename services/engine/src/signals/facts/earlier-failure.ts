import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";
import { factKind } from "./fact-kind.ts";

export const earlierFailure = factKind({
  name: "earlier-failure",
  means: "A failure that the same process reported before",
  data: z.object({ at: z.string(), message: z.string(), sameFailure: z.boolean() }),
  example: { at: "2026-03-01T09:58:00.000Z", message: "Error: no free connection", sameFailure: false },
  evidence: ({ message, at }) => `the same process had already failed at ${at}: ${inlineCode(message)}`,
  isComputed: true,
});
