export { besideCode } from "./changes/beside-code.ts";
export { collectEvidence } from "./collect-evidence.ts";
export type { AnnouncedFailure } from "./findings/announced-failure.ts";
export type { EventFacts } from "./findings/event-facts.ts";
export type { FileNotRead } from "./findings/file-not-read.ts";
export type { InvestigationSubject } from "./findings/investigation-subject.ts";
export type { Observation } from "./findings/observation.ts";
export { firstLine, observeData } from "./findings/observe-input.ts";
export * from "./findings/organization-history.ts";
export type { ParsedError } from "./findings/parsed-error.ts";
export type { GatheredFile } from "./gather/chosen-files.ts";
export { type Gathered, type GatherFor, gather } from "./gather/gather.ts";
export type { SourceFile, SourceFiles } from "./gather/source-files.ts";
export type { InvestigationPorts } from "./investigate.ts";
export type { AnswerCitation, AnswerStatement } from "./model/answer-statement.ts";
export { type AnswerDropReason, answerDropReasons, checkedAnswer } from "./model/checked-answer.ts";
export { observeFinding } from "./model/checked-findings.ts";
export { observeQuery } from "./model/observe-query.ts";
export { isNamedBy, quotedIn } from "./model/quoted-in.ts";
export { type Collected, nothingCollected } from "./observe/collect.ts";
export type { CollectedFor, Collector } from "./observe/collector.ts";
export { type NamedPlaces, placesNamed } from "./outside/named-places.ts";
export { blockedStack } from "./parse/blocked-stack.ts";
export { parseText } from "./parse/parse.ts";
export { parseEvent, readEventFacts } from "./parse/parse-event.ts";
export { explains, mostLikelyExit, mostTelling, type PossibleExit, tellingProcess } from "./process-exit/assess.ts";
export { climbRules, climbs } from "./process-exit/memory-climb.ts";
export { type Agreement, agreementOf } from "./rank/agreement.ts";
export { engine } from "./report/assemble.ts";
export { namesCauseFrom } from "./report/headline.ts";
export { withCounts } from "./report/impact.ts";
export { evidenceText, type Fact } from "./signals/fact.ts";
export type { ChangeCommit } from "./signals/facts/commit.ts";
export type { ReleaseComparison } from "./signals/facts/comparison.ts";
export type { Concentration } from "./signals/facts/concentration.ts";
export type { DeployFact } from "./signals/facts/deploy-fact.ts";
export type { FailingCalls } from "./signals/facts/failing-calls.ts";
export type { LastChange } from "./signals/facts/last-change.ts";
export {
  keyOfProposed,
  type ModelCitation,
  type ModelFinding,
  modelFindingSchema,
  type ProposedSubject,
} from "./signals/facts/model-finding.ts";
export type { OnwardCall } from "./signals/facts/onward-call.ts";
export type { ProcessState } from "./signals/facts/process-state.ts";
export { type QueriedTelemetry, queriedSource, queriedTelemetrySchema } from "./signals/facts/queried-telemetry.ts";
export type { RateFact } from "./signals/facts/rate.ts";
export type { RelatedFailure } from "./signals/facts/related-failure.ts";
export { type Hunk, hunkText, type ReleaseChange } from "./signals/facts/release-change.ts";
export type { SimilarIncident } from "./signals/facts/similar-incident.ts";
export type { Gap } from "./signals/gap.ts";
export { type ModelFailure, modelFailureReasons } from "./signals/gaps/model-failed.ts";
export { droppedText } from "./signals/gaps/model-statements-dropped.ts";
export { comesAfter, failureMoment, type Moment, releaseMoment, timeErrorMs } from "./signals/time-order.ts";
export { debugIdOfMap } from "./source/debug-id.ts";
export { gatherLimits } from "./source/gather-limits.ts";
export { importedPaths } from "./source/languages/languages.ts";
export { PathIndex } from "./source/path-index.ts";
export { isManifest } from "./source/project-names.ts";
export { namesInRuntimeMessage } from "./trace/runtime-names.ts";
export type { WatchedEvent } from "./watched/watched-event.ts";
export { inlineCode } from "./words/prose.ts";
