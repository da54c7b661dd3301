import type { ModelChange, ModelPrompt, ModelRefusal, ModelRun, ModelSettings, ModelUsage } from "@whence/protocol";
import type { Person } from "../settings/settings-db.ts";

/** The language model of a scope. */
export interface ModelScope {
  readonly model: ModelRepository;
}

/** The prompts of all scopes. */
export interface ModelStore {
  readonly modelPrompts: {
    /** Removes at most `max` prompts that were sent before the moment, and returns how many. */
    expire(sentBefore: Date, max: number): Promise<number>;
  };
}

/** What one investigation or question used and sent. */
export interface NewModelRun extends Omit<ModelRun, "id" | "prompts_omitted"> {
  readonly prompts: readonly { readonly sent_at: string; readonly text: string }[];
}

/** What a check of a model used. */
export type ModelCheckUse = Pick<ModelRun, "started_at" | "input_tokens" | "output_tokens" | "cost_usd">;

/** A scope's model, with all inputs of its provider, credentials among them. */
export interface ConnectedModel {
  readonly settings: ModelSettings;
  readonly inputs: Readonly<Record<string, string>>;
}

/** The model of a scope, with the record of its use. Credentials are encrypted at rest. */
export interface ModelRepository {
  /** The settings and the credentials as they were at one moment; null when no owner connected a model. */
  read(): Promise<ConnectedModel | null>;
  /** Replaces the model; `inputs` are all of its provider's, credentials among them. */
  write(change: ModelChange, by: Person, now: Date): Promise<ModelSettings>;
  /** Removes the model with its credentials, and returns its name; null when there was none. */
  remove(): Promise<string | null>;
  /** The person who declined the installation's model for the scope; null while it may be used. */
  refusal(): Promise<ModelRefusal | null>;
  /** Refuses the model of the installation; an earlier refusal stays. */
  refuse(by: Person, now: Date): Promise<void>;
  /** Takes a refusal back. */
  accept(): Promise<void>;
  /** Adds to the day's usage; of an incident that is still there, it keeps the run and its prompts as well, within bounds. */
  record(run: NewModelRun): Promise<void>;
  /** Adds to the day's usage what a check used, which is no investigation. */
  recordCheck(used: ModelCheckUse): Promise<void>;
  /** Adds up the days from this one on, such as `2026-03-01`. */
  usage(fromDay: string): Promise<ModelUsage>;
  /** The newest first; of one incident, or of all. */
  runs(which: { readonly incidentId: string | null; readonly limit: number }): Promise<readonly ModelRun[]>;
  /** The kept prompts of a run, in order; null when the scope has no such run. */
  prompts(runId: string): Promise<readonly ModelPrompt[] | null>;
}
