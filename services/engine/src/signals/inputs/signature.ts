import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";
import { inputKind } from "./input-kind.ts";

export const signature = inputKind({
  name: "signature",
  means: "A known failure that the text matches",
  data: z.object({ id: z.string() }),
  example: { id: "errno.econnrefused" },
  evidence: ({ id }) => `matches the known failure ${inlineCode(id)}`,
});
