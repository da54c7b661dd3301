import { z } from "zod";
import { gapKind } from "./gap-kind.ts";

export const machine = gapKind({
  name: "machine",
  means: "How the machine says that a process ended",
  args: z.object({ isKubernetesConnected: z.boolean() }),
  example: { isKubernetesConnected: true },
  sentence: ({ isKubernetesConnected }) =>
    isKubernetesConnected
      ? "The machine: its kernel log and the exit code show how the process ended."
      : "The machine: its kernel log, orchestrator, and the exit code show how the process ended. There is no Kubernetes connection to ask.",
});
