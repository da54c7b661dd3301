import type { InvestigationSubject } from "@whence/engine";
import type { EventStore, FeedbackScope, IncidentScope, IntegrationScope, ReleaseScope, Scoped } from "@whence/storage";
import { z } from "zod";
import type { LineHistory } from "../changes/line-history.ts";
import type { ChangeProvider } from "../changes/release-changes.ts";
import type { AskingContext } from "../integrations/ask-integrations.ts";
import type { Logger } from "../logger.ts";
import type { AnalyzerMetrics } from "../metrics.ts";
import type { SourceProvider } from "../sources/source-provider.ts";
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

/** What an investigation reads of its scope, and writes. */
export type InvestigatedScope = IncidentScope & FeedbackScope & ReleaseScope & IntegrationScope;

export interface InvestigationContext {
  readonly control: Scoped<InvestigatedScope>;
  readonly events: EventStore;
  readonly clock: () => number;
  readonly logger: Logger;
  readonly metrics: AnalyzerMetrics;
  /** Where the investigations of a scope run, by what there is to investigate; by default in this thread. */
  readonly investigatorsOf?: (scopeId: string, input: InvestigationSubject["input"]) => InvestigatorsAtWork;
  /** How connected third parties are asked; by default they aren't. */
  readonly integrations?: AskingContext;
  /** Where the code of services is; by default there is none. */
  readonly sources?: SourceProvider;
  /** What lies between two releases of a service; by default that isn't known. */
  readonly changes?: ChangeProvider;
  /** Which commits changed lines of code last; by default that isn't known. */
  readonly lineHistory?: LineHistory;
}
