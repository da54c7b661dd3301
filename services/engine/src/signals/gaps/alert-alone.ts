import { z } from "zod";
import { gapKind } from "./gap-kind.ts";

export const alertAlone = gapKind({
  name: "alert-alone",
  means: "An alert without the error behind it",
  args: z.object({ system: z.string() }),
  example: { system: "Alertmanager" },
  sentence: ({ system }) => `The error behind the alert: ${system} sent the alert without it.`,
});
