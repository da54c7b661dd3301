import { gapKind, noArgs } from "./gap-kind.ts";

export const noService = gapKind({
  name: "no-service",
  means: "An announced failure of no known service: neither telemetry nor integrations were asked",
  args: noArgs,
  example: {},
  sentence: () =>
    "Telemetry and integrations: the text names no service that Whence knows, so nothing was asked about it.",
});
