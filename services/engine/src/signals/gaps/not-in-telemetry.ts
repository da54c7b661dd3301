import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";
import { gapKind } from "./gap-kind.ts";

export const notInTelemetry = gapKind({
  name: "not-in-telemetry",
  means: "An announced failure of a service that reports nothing",
  args: z.object({ service: z.string() }),
  example: { service: "orders" },
  sentence: ({ service }) =>
    `Telemetry: ${inlineCode(service)} sends none to Whence, so its failures, processes, and requests are unknown.`,
});
