import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";
import { inputKind } from "./input-kind.ts";

export const request = inputKind({
  name: "request",
  means: "The request that was being served",
  data: z.object({ method: z.string(), route: z.string() }),
  example: { method: "GET", route: "/orders/:id" },
  evidence: ({ method, route }) => `serving ${inlineCode(`${method} ${route}`)}`,
});
