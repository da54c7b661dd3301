import { gapKind, noArgs } from "./gap-kind.ts";

export const plannedRuns = gapKind({
  name: "planned-runs",
  means: "Whether short runs are planned",
  args: noArgs,
  example: {},
  sentence: () => "Scheduled jobs: a job that exits without closing its client looks the same.",
});
