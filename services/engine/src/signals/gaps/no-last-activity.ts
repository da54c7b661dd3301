import { gapKind, noArgs } from "./gap-kind.ts";

export const noLastActivity = gapKind({
  name: "no-last-activity",
  means: "A process whose heartbeats carried no breadcrumbs",
  args: noArgs,
  example: {},
  sentence: () => "Last activity: no heartbeat carried breadcrumbs.",
});
