import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";
import { gapKind } from "./gap-kind.ts";

export const noEvent = gapKind({
  name: "no-event",
  means: "An announced failure that no event shows",
  args: z.object({ service: z.string() }),
  example: { service: "orders" },
  sentence: ({ service }) =>
    `The error: ${inlineCode(service)} reported no failure in the minutes before, so only what happened around it is known.`,
});
