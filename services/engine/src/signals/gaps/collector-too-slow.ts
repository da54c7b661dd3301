import { z } from "zod";
import { capital, duration } from "../../words/prose.ts";
import { gapKind } from "./gap-kind.ts";

export const collectorTooSlow = gapKind({
  name: "collector-too-slow",
  means: "A collector that didn't answer in time",
  args: z.object({ collector: z.string(), afterMs: z.number() }),
  example: { collector: "releases", afterMs: 8_000 },
  sentence: ({ collector, afterMs }) => `${capital(collector)}: no answer within ${waited(afterMs)}.`,
});

function waited(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : duration(ms);
}
