import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";
import { inputKind } from "./input-kind.ts";

export const breadcrumb = inputKind({
  name: "breadcrumb",
  means: "Something that the client recorded before the error",
  data: z.object({ category: z.string(), message: z.string() }),
  evidence: ({ category, message }) => `${inlineCode(category)}: ${inlineCode(message)}`,
});
