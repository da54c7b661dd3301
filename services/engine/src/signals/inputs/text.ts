import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";
import { inputKind } from "./input-kind.ts";

export const textInput = inputKind({
  name: "text",
  means: "A text without an error in it",
  data: z.object({ headline: z.string() }),
  example: { headline: "connection refused" },
  evidence: ({ headline }) => (headline === "" ? "the text as given" : inlineCode(headline)),
});
