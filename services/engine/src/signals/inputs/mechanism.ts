import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";
import { inputKind } from "./input-kind.ts";

export const mechanism = inputKind({
  name: "mechanism",
  means: "How the error was caught, and whether the program continued",
  data: z.object({ mechanism: z.string(), isHandled: z.boolean() }),
  example: { mechanism: "express", isHandled: true },
  evidence: ({ mechanism, isHandled }) =>
    // A framework that logs an error and answers 500 keeps the program running, but handles nothing.
    isHandled
      ? `reported by ${inlineCode(mechanism)}; the program continued`
      : `caught by ${inlineCode(mechanism)}, not handled`,
});
