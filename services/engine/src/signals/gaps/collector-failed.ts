import { z } from "zod";
import { capital, inlineCode } from "../../words/prose.ts";
import { gapKind } from "./gap-kind.ts";

export const collectorFailed = gapKind({
  name: "collector-failed",
  means: "A collector that failed, as a whole or in part",
  args: z.object({ collector: z.string(), error: z.string(), isPartial: z.boolean() }),
  example: { collector: "Datadog", error: "Datadog answered 403", isPartial: false },
  sentence: ({ collector, error, isPartial }) => {
    const asked = isPartial ? `${collector}, in part` : collector;
    const said = error.startsWith(`${collector} `) ? error.slice(collector.length + 1) : null;
    return said !== null && plainWords.test(said)
      ? `${asked}: it ${said}.`
      : `${capital(asked)}: failed with ${inlineCode(error)}.`;
  },
});

/** What an integration says about itself after its name; other characters make it shown as code. */
const plainWords = /^[\w (),:;'’-]{1,200}$/;
