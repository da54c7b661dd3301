import type { InvestigationSubject } from "@whence/engine";
import type {
  EventStore,
  FeedbackScope,
  IncidentScope,
  InstructionsScope,
  IntegrationScope,
  OwnershipScope,
  PlaceWatchScope,
  ReleaseScope,
  Scoped,
} from "@whence/storage";
import { z } from "zod";
import type { LineHistory } from "../changes/line-history.ts";
import type { ChangeProvider } from "../changes/release-changes.ts";
import type { AskingContext } from "../integrations/ask-integrations.ts";
import type { Logger } from "../logger.ts";
import type { AnalyzerMetrics } from "../metrics.ts";
import type { ModelPlaces } from "../model-run/model-places.ts";
import type { Models } from "../models/models.ts";
import type { BuiltFiles } from "../sources/artifacts/built-files.ts";
import type { IssueSources, SourceProvider } from "../sources/source-provider.ts";
import type { SentSources } from "../sources/uploaded-sources.ts";
import type { Investigators } from "./investigators.ts";

/** An incident to investigate, and its scope. */
export interface InvestigationMessage {
  readonly incident_id: string;
  readonly scope_id: string;
  /** Whether to refine its report; otherwise it has none yet, or is to be investigated again from scratch. */
  readonly refine?: boolean | undefined;
}

export const investigationMessageSchema: z.ZodType<InvestigationMessage> = z.object({
  incident_id: z.string(),
  scope_id: z.string(),
  refine: z.boolean().optional(),
});

/**
 * An investigation that fails this many times ends as failed. A process that dies in the middle uses up attempts as well, so
 * the topic allows more: only a message that takes every process down with it uses them all up.
 */
export const failedAttemptsMax = 5;

type InvestigatorsAtWork = Pick<Investigators, "investigate">;

/** The repositories of a scope that an investigation reads and writes. */
export type InvestigatedScope = IncidentScope &
  PlaceWatchScope &
  FeedbackScope &
  ReleaseScope &
  IntegrationScope &
  InstructionsScope &
  OwnershipScope;

export interface InvestigationContext {
  readonly control: Scoped<InvestigatedScope>;
  readonly events: EventStore;
  readonly clock: () => number;
  readonly logger: Logger;
  readonly metrics: AnalyzerMetrics;
  /** The investigators for a scope and input; by default this thread. */
  readonly investigatorsOf?: (scopeId: string, input: InvestigationSubject["input"]) => InvestigatorsAtWork;
  /** Context for querying connected third parties; without it, none are queried. */
  readonly integrations?: AskingContext;
  /** Provides the code of services; by default there is none. */
  readonly sources?: SourceProvider;
  /** The code around issues that the bot is asked about; by default there is none. */
  readonly issueSources?: IssueSources;
  /** The files that services' own processes send; by default they aren't asked. */
  readonly sentSources?: SentSources;
  /** The maps of built files; by default there are none. */
  readonly builtFiles?: BuiltFiles;
  /** Provides the changes between two releases of a service; by default none are known. */
  readonly changes?: ChangeProvider;
  /** The language models that scopes have configured; by default there are none, and nothing is asked. */
  readonly models?: Models;
  /** How many investigations with a model run at once; unlimited by default. */
  readonly modelPlaces?: ModelPlaces;
  /** Finds the commits that last changed lines of code; by default none are known. */
  readonly lineHistory?: LineHistory;
}
