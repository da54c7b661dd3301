import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";
import { inputKind } from "./input-kind.ts";

export const mechanism = inputKind({
  name: "mechanism",
  means: "How the error was caught",
  data: z.object({ mechanism: z.string(), isHandled: z.boolean() }),
  example: { mechanism: "express", isHandled: true },
  evidence: ({ mechanism, isHandled }) =>
    `caught by ${inlineCode(mechanism)}, ${isHandled ? "handled" : "not handled"}`,
});
