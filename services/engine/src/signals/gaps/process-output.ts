import { z } from "zod";
import { gapKind } from "./gap-kind.ts";

export const processOutput = gapKind({
  name: "process-output",
  means: "The last output of processes that restart again and again",
  args: z.object({ areLogsConnected: z.boolean() }),
  example: { areLogsConnected: false },
  sentence: ({ areLogsConnected }) =>
    `Process output: \`kubectl logs --previous\`, \`docker logs\`, or \`journalctl\` shows the last lines before the exit.${areLogsConnected ? "" : " There is no log integration to ask."}`,
});
