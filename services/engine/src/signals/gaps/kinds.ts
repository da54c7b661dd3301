import { alertAlone } from "./alert-alone.ts";
import { causesLeftOut } from "./causes-left-out.ts";
import { codeLeftOut } from "./code-left-out.ts";
import { collectorFailed } from "./collector-failed.ts";
import { collectorTooSlow } from "./collector-too-slow.ts";
import { cutRecords } from "./cut-records.ts";
import { deploymentsNotConnected } from "./deployments-not-connected.ts";
import { errorsInValues } from "./errors-in-values.ts";
import { errorsLeftOut } from "./errors-left-out.ts";
import { fileNotGiven } from "./file-not-given.ts";
import { filesNotRead } from "./files-not-read.ts";
import { forgeableText } from "./forgeable-text.ts";
import { framesWithoutText } from "./frames-without-text.ts";
import { longLines } from "./long-lines.ts";
import { machine } from "./machine.ts";
import { messageOnly } from "./message-only.ts";
import { modelFailed } from "./model-failed.ts";
import { modelStatementsDropped } from "./model-statements-dropped.ts";
import { networkNotConnected } from "./network-not-connected.ts";
import { noEvent } from "./no-event.ts";
import { noFiles } from "./no-files.ts";
import { noHeartbeats } from "./no-heartbeats.ts";
import { noImportCycle } from "./no-import-cycle.ts";
import { noLastActivity } from "./no-last-activity.ts";
import { noOwnFrame } from "./no-own-frame.ts";
import { noService } from "./no-service.ts";
import { noSource } from "./no-source.ts";
import { noStack } from "./no-stack.ts";
import { noTelemetry } from "./no-telemetry.ts";
import { notInTelemetry } from "./not-in-telemetry.ts";
import { otherVersion } from "./other-version.ts";
import { plannedRuns } from "./planned-runs.ts";
import { processOutput } from "./process-output.ts";
import { recordsLeftOut } from "./records-left-out.ts";
import { rivalErrors } from "./rival-errors.ts";
import { stoppedEarly } from "./stopped-early.ts";
import { unknownFormat } from "./unknown-format.ts";

/** Every kind of gap. */
export const gapKinds = {
  [collectorTooSlow.name]: collectorTooSlow,
  [collectorFailed.name]: collectorFailed,
  [modelFailed.name]: modelFailed,
  [modelStatementsDropped.name]: modelStatementsDropped,
  [codeLeftOut.name]: codeLeftOut,
  [filesNotRead.name]: filesNotRead,
  [stoppedEarly.name]: stoppedEarly,
  [alertAlone.name]: alertAlone,
  [unknownFormat.name]: unknownFormat,
  [noStack.name]: noStack,
  [longLines.name]: longLines,
  [cutRecords.name]: cutRecords,
  [errorsLeftOut.name]: errorsLeftOut,
  [rivalErrors.name]: rivalErrors,
  [errorsInValues.name]: errorsInValues,
  [forgeableText.name]: forgeableText,
  [causesLeftOut.name]: causesLeftOut,
  [recordsLeftOut.name]: recordsLeftOut,
  [messageOnly.name]: messageOnly,
  [noTelemetry.name]: noTelemetry,
  [noService.name]: noService,
  [notInTelemetry.name]: notInTelemetry,
  [noEvent.name]: noEvent,
  [noFiles.name]: noFiles,
  [noSource.name]: noSource,
  [framesWithoutText.name]: framesWithoutText,
  [otherVersion.name]: otherVersion,
  [fileNotGiven.name]: fileNotGiven,
  [noImportCycle.name]: noImportCycle,
  [noOwnFrame.name]: noOwnFrame,
  [networkNotConnected.name]: networkNotConnected,
  [deploymentsNotConnected.name]: deploymentsNotConnected,
  [machine.name]: machine,
  [processOutput.name]: processOutput,
  [plannedRuns.name]: plannedRuns,
  [noLastActivity.name]: noLastActivity,
  [noHeartbeats.name]: noHeartbeats,
};
