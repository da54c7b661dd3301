import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";
import { inputKind } from "./input-kind.ts";

export const breadcrumb = inputKind({
  name: "breadcrumb",
  means: "Something that the client recorded before the error",
  data: z.object({ category: z.string(), message: z.string() }),
  example: { category: "db", message: "SELECT * FROM orders" },
  evidence: ({ category, message }) => `${inlineCode(category)}: ${inlineCode(message)}`,
});
