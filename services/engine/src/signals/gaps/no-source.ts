import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";
import { gapKind } from "./gap-kind.ts";

export const noSource = gapKind({
  name: "no-source",
  means: "No file of the failing release was available, only the code that came with the event",
  /** `release` is empty for an event without one. */
  args: z.object({ service: z.string(), release: z.string() }),
  example: { service: "orders", release: "2.0.0" },
  sentence: ({ service, release }) => {
    const of = [service, release].filter((name) => name !== "").map(inlineCode);
    return `Source: no files of ${of.join(" ")} were available, only the code around the calls on the stack.`;
  },
});
