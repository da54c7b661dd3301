import { z } from "zod";
import { ownSystem } from "../inputs/alert.ts";
import { gapKind } from "./gap-kind.ts";

export const alertAlone = gapKind({
  name: "alert-alone",
  means: "An alert without the error behind it",
  args: z.object({ system: z.string() }),
  example: { system: "Alertmanager" },
  sentence: ({ system }) =>
    system === ownSystem
      ? "The error behind the alert: a monitor sees that something fails, not why."
      : `The error behind the alert: ${system} sent the alert without it.`,
});
