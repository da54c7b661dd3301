import type { ModelProviderName, ModelPurpose } from "@whence/protocol";
import type { OpenedModel } from "@whence/vendors";

/** Tokens of one or more requests to a model. */
export interface ModelTokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** What one investigation or question may use. */
export interface ModelBudget {
  /** Input and output tokens together. */
  readonly tokens: number;
  /** Null without a limit, or while prices are unknown. */
  readonly costUsd: number | null;
  readonly withinMs: number;
}

/** The model that an organization may use; closed after use. */
export interface ConfiguredModel extends OpenedModel {
  readonly provider: ModelProviderName;
  readonly name: string;
  /** The limits of an investigation, or the rest of the daily budget if that is less. */
  readonly budget: ModelBudget;
  /** Returns what the tokens cost, in US dollars; null while prices are unknown. */
  costUsd(tokens: ModelTokens): number | null;
}

/** A prompt, exactly as it was sent, after redaction. */
export interface SentPrompt {
  readonly sentAt: Date;
  readonly text: string;
}

/** What the runs of one investigation or question used and sent. */
export interface ModelUse extends ModelTokens {
  readonly incidentId: string;
  readonly purpose: ModelPurpose;
  readonly provider: ModelProviderName;
  readonly name: string;
  /** How many independent runs it took. */
  readonly runs: number;
  readonly costUsd: number | null;
  readonly startedAt: Date;
  readonly durationMs: number;
  /**
   * `answered`, `nothing_held` when nothing of it passed the checks, `stopped` with the process, or the code of the
   * failure.
   */
  readonly outcome: string;
  /** How many values were replaced before sending, by their kind. */
  readonly replaced: Readonly<Record<string, number>>;
  readonly sent: readonly SentPrompt[];
}

/** The scope has a model, and may not use it before midnight UTC. */
export type BudgetUsedUp = "budget_used_up";

/** The models that organizations use, and the record of their use. */
export interface Models {
  /** Returns the model that this scope may use now; null when none is configured. */
  configured(scopeId: string): Promise<ConfiguredModel | BudgetUsedUp | null>;
  /** Records tokens, cost, and what was sent, whatever the outcome. */
  record(scopeId: string, use: ModelUse): Promise<void>;
}
