import type { ModelChange, ModelPrompt, ModelRun, ModelSettings, ModelUsage } from "@whence/protocol";
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

/** What one investigation used and sent. */
export interface NewModelRun extends Omit<ModelRun, "id" | "prompts_omitted"> {
  readonly prompts: readonly { readonly sent_at: string; readonly text: string }[];
}

/** The model of a scope, with the record of its use. Credentials are encrypted at rest. */
export interface ModelRepository {
  /** Null when no owner connected one. */
  read(): Promise<ModelSettings | null>;
  /** The inputs together with the credentials; null when no owner connected a model. */
  inputs(): Promise<Readonly<Record<string, string>> | null>;
  /** Replaces the model; `inputs` are all of its provider's, credentials among them. */
  write(change: ModelChange, by: Person, now: Date): Promise<ModelSettings>;
  /** True when this call removed it, with its credentials. */
  remove(): Promise<boolean>;
  /** Adds to the day's usage; of an incident that is still there, it keeps the run and its prompts as well, within bounds. */
  record(run: NewModelRun): Promise<void>;
  /** Adds up the days from this one on, such as `2026-03-01`. */
  usage(fromDay: string): Promise<ModelUsage>;
  /** The newest first; of one incident, or of all. */
  runs(which: { readonly incidentId: string | null; readonly limit: number }): Promise<readonly ModelRun[]>;
  /** The kept prompts of a run, in order; null when the scope has no such run. */
  prompts(runId: string): Promise<readonly ModelPrompt[] | null>;
}
