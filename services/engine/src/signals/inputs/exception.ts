import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";
import { inputKind } from "./input-kind.ts";

export const exception = inputKind({
  name: "exception",
  means: "The error as it was printed or reported",
  data: z.object({ type: z.string(), message: z.string() }),
  example: { type: "TypeError", message: "Cannot read properties of undefined (reading 'currency')" },
  evidence: ({ type, message }) => inlineCode(`${type}: ${message}`),
});
