import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";
import { gapKind } from "./gap-kind.ts";

export const deploymentsNotConnected = gapKind({
  name: "deployments-not-connected",
  means: "Nothing that is connected knows what was deployed, and telemetry names no release",
  args: z.object({ service: z.string() }),
  example: { service: "orders" },
  sentence: ({ service }) =>
    `Deployments: the telemetry of ${inlineCode(service)} names no release, and no hosting or code integration is connected.`,
});
