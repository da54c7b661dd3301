import { z } from "zod";
import { count } from "../../words/prose.ts";
import { gapKind } from "./gap-kind.ts";

export const noHeartbeats = gapKind({
  name: "no-heartbeats",
  means: "Processes without a kept heartbeat",
  args: z.object({ processes: z.number() }),
  example: { processes: 2 },
  sentence: ({ processes }) =>
    `Heartbeats: none kept of ${count(processes, "process", "processes")}, so memory and event loop are unknown.`,
});
