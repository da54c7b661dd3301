import { answers } from "./answers.ts";
import { comparison } from "./comparison.ts";
import { concentration } from "./concentration.ts";
import { containerRestarts } from "./container-restarts.ts";
import { deploy } from "./deploy.ts";
import { earlierFailure } from "./earlier-failure.ts";
import { exit } from "./exit.ts";
import { failingCalls } from "./failing-calls.ts";
import { failingRoute } from "./failing-route.ts";
import { firstFailingCommit } from "./first-failing-commit.ts";
import { lastActivity } from "./last-activity.ts";
import { lastChange } from "./last-change.ts";
import { lastHeartbeat } from "./last-heartbeat.ts";
import { mainThread } from "./main-thread.ts";
import { modelFinding } from "./model-finding.ts";
import { observed } from "./observed.ts";
import { onwardCall } from "./onward-call.ts";
import { outside } from "./outside.ts";
import { processState } from "./process-state.ts";
import { queriedTelemetry } from "./queried-telemetry.ts";
import { queueBacklog } from "./queue-backlog.ts";
import { rate } from "./rate.ts";
import { relatedFailure } from "./related-failure.ts";
import { releaseChange } from "./release-change.ts";
import { similarIncident } from "./similar-incident.ts";
import { totals } from "./totals.ts";
import { triedPatch } from "./tried-patch.ts";
import { undoneChange } from "./undone-change.ts";
import { vitalSigns } from "./vital-signs.ts";

/** Every kind of fact. */
export const factKinds = {
  [totals.name]: totals,
  [answers.name]: answers,
  [rate.name]: rate,
  [relatedFailure.name]: relatedFailure,
  [earlierFailure.name]: earlierFailure,
  [deploy.name]: deploy,
  [comparison.name]: comparison,
  [releaseChange.name]: releaseChange,
  [lastChange.name]: lastChange,
  [concentration.name]: concentration,
  [failingCalls.name]: failingCalls,
  [onwardCall.name]: onwardCall,
  [modelFinding.name]: modelFinding,
  [queriedTelemetry.name]: queriedTelemetry,
  [processState.name]: processState,
  [failingRoute.name]: failingRoute,
  [queueBacklog.name]: queueBacklog,
  [containerRestarts.name]: containerRestarts,
  [similarIncident.name]: similarIncident,
  [lastHeartbeat.name]: lastHeartbeat,
  [exit.name]: exit,
  [vitalSigns.name]: vitalSigns,
  [lastActivity.name]: lastActivity,
  [outside.name]: outside,
  [mainThread.name]: mainThread,
  [observed.name]: observed,
  [triedPatch.name]: triedPatch,
  [firstFailingCommit.name]: firstFailingCommit,
  [undoneChange.name]: undoneChange,
};
