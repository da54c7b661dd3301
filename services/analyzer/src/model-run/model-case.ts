import type { Collected, GatheredFile, InvestigationSubject, ModelFinding, SourceFiles } from "@whence/engine";
import type { Report } from "@whence/protocol";
import type { ModelRoute } from "./prompts.ts";
import type { TelemetryQueries } from "./telemetry-queries.ts";

/** What a model run is about, and all that its tools can reach: one incident of one scope, read only. */
export interface ModelCase {
  readonly incidentId: string;
  readonly route: ModelRoute;
  readonly subject: InvestigationSubject;
  /** What the collectors found, which may be asked for when a tool first needs it. */
  readonly collected: () => Promise<Collected>;
  /** The engine's report. */
  readonly report: Report;
  /** The service's code at the failing release; null where there is none besides the input. */
  readonly tree: SourceFiles | null;
  /** The scope's telemetry around the failure; empty for a developer's error. */
  readonly telemetry: TelemetryQueries;
  /** The organization's preferences; empty when it has none. */
  readonly preferences: string;
  /** Returns the engine's report with a hypothesis among its candidates, given the files that were opened. */
  readonly test: (hypothesis: ModelFinding, opened: readonly GatheredFile[]) => Promise<Report>;
}
