import { gapKind, noArgs } from "./gap-kind.ts";

export const noTelemetry = gapKind({
  name: "no-telemetry",
  means: "A pasted text, which belongs to no telemetry",
  args: noArgs,
  example: {},
  sentence: () =>
    "Telemetry: the text belongs to no service, so frequency, first occurrence, and other services are unknown.",
});
