export { listsDependencies } from "./changes/changed-dependencies.ts";
export { collectEvidence } from "./collect-evidence.ts";
export type { AnnouncedFailure } from "./findings/announced-failure.ts";
export type { EventFacts, Observation, ParsedError } from "./findings/findings.ts";
export type { FileNotRead, Gap } from "./findings/gaps.ts";
export { gatherLimits } from "./findings/gather-limits.ts";
export type { InvestigationSubject } from "./findings/investigation-subject.ts";
export { firstLine, observeData } from "./findings/observations.ts";
export * from "./findings/organization-history.ts";
export {
  type ChangeCommit,
  type Hunk,
  hunkText,
  type LastChange,
  type ReleaseChange,
  type ReleaseComparison,
} from "./findings/release-change.ts";
export type {
  Concentration,
  DeployFact,
  Fact,
  FailingCalls,
  ProcessState,
  RateFact,
  RelatedFailure,
  SimilarIncident,
} from "./findings/telemetry-facts.ts";
export { comesAfter, failureMoment, type Moment, releaseMoment, timeErrorMs } from "./findings/time-order.ts";
export { type Gathered, type GatheredFile, type GatherFor, gather } from "./gather/gather.ts";
export type { SourceFile, SourceFiles } from "./gather/source-files.ts";
export type { InvestigationPorts } from "./investigate.ts";
export { type Collected, nothingCollected } from "./observe/collect.ts";
export type { CollectedFor, Collector } from "./observe/collector.ts";
export { type NamedPlaces, placesNamed } from "./outside/named-places.ts";
export { parseText } from "./parse/parse.ts";
export { parseEvent, readEventFacts } from "./parse/parse-event.ts";
export { explains, mostLikelyExit, mostTelling, type PossibleExit } from "./process-exit/assess.ts";
export { engine } from "./report/assemble.ts";
export { withCounts } from "./report/impact.ts";
export { debugIdOfMap } from "./source/debug-id.ts";
export { importedPaths } from "./source/languages/languages.ts";
export { PathIndex } from "./source/path-index.ts";
export { inlineCode } from "./words/prose.ts";
