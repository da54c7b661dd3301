export { explains, likeliestEnd, mostTelling, type PossibleEnd } from "./death/assess.ts";
export type { EventFacts, Observation } from "./findings.ts";
export { type FileNotRead, type Gathered, type GatheredFile, gather, gatherLimits } from "./gather/gather.ts";
export type { SourceFile, SourceFiles } from "./gather/source-files.ts";
export { type InvestigationPorts, type InvestigationSubject, investigate } from "./investigate.ts";
export type { CollectedFor, Collector } from "./observe/collector.ts";
export { firstLine, observeData } from "./observe.ts";
export * from "./organization-history.ts";
export { parseText } from "./parse/parse.ts";
export { parseEvent, readEventFacts } from "./parse/parse-event.ts";
export { previewText } from "./preview.ts";
export { inlineCode, placeText } from "./prose.ts";
export { engine } from "./report/assemble.ts";
export type {
  Concentration,
  DeployFact,
  FailingCalls,
  NeighbourFailure,
  ProcessState,
  RateFact,
  SimilarIncident,
} from "./telemetry-facts.ts";
