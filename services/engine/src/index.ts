export type { AnnouncedFailure } from "./announced-failure.ts";
export { listsDependencies } from "./changes/changed-dependencies.ts";
export { collectEvidence } from "./collect-evidence.ts";
export { debugIdOfMap } from "./debug-id.ts";
export type { EventFacts, Observation, ParsedError } from "./findings.ts";
export type { FileNotRead, Gap } from "./gaps.ts";
export { type Gathered, type GatheredFile, type GatherFor, gather } from "./gather/gather.ts";
export { importsOf } from "./gather/imports.ts";
export { PathIndex } from "./gather/path-index.ts";
export type { SourceFile, SourceFiles } from "./gather/source-files.ts";
export { gatherLimits } from "./gather-limits.ts";
export type { InvestigationPorts } from "./investigate.ts";
export type { InvestigationSubject } from "./investigation-subject.ts";
export { type Collected, nothingCollected } from "./observe/collect.ts";
export type { CollectedFor, Collector } from "./observe/collector.ts";
export { firstLine, observeData } from "./observe.ts";
export * from "./organization-history.ts";
export { type NamedPlaces, placesNamed } from "./outside/named-places.ts";
export type { OutsideFinding } from "./outside-finding.ts";
export { parseText } from "./parse/parse.ts";
export { parseEvent, readEventFacts } from "./parse/parse-event.ts";
export { explains, mostLikelyEnd, mostTelling, type PossibleEnd } from "./process-exit/assess.ts";
export { inlineCode } from "./prose.ts";
export {
  type ChangeCommit,
  type Hunk,
  hunkText,
  type LastChange,
  type ReleaseChange,
  type ReleaseComparison,
} from "./release-change.ts";
export { engine } from "./report/assemble.ts";
export { withCounts } from "./report/impact.ts";
export type {
  Concentration,
  DeployFact,
  Fact,
  FailingCalls,
  NeighbourFailure,
  ProcessState,
  RateFact,
  SimilarIncident,
} from "./telemetry-facts.ts";
export { comesAfter, failureMoment, type Moment, releaseMoment, timeErrorMs } from "./time-order.ts";
