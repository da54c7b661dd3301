import {
  dayMs,
  type ModelBudgetSettings,
  type ModelChange,
  type ModelSettings,
  type ModelStatus,
  type ModelUsage,
  promptsKeptDays,
} from "@whence/protocol";
import { isAgentScope, type ModelScope, type Scoped } from "@whence/storage";

/** Days of usage that the status adds up, today among them. */
const usageDays = 30;

/** The model that the operator configured for all organizations. */
export type InstallationModel = Readonly<ModelChange>;

/** What finding an organization's model takes. */
export interface ModelContext {
  readonly control: Scoped<ModelScope>;
  readonly clock: () => number;
  /** Null without one. */
  readonly installationModel: InstallationModel | null;
}

/** A model's settings, and all of its provider's inputs. */
export interface ModelInUse {
  readonly source: "organization" | "installation";
  readonly settings: ModelSettings;
  readonly inputs: Readonly<Record<string, string>>;
}

/**
 * Returns the model of a scope: its own, or else the installation's, unless the scope refused that; null without either.
 * An unclaimed agent has none: anyone may register one, and models cost money.
 */
export async function modelInUse(
  scopeId: string,
  { control, installationModel }: ModelContext,
): Promise<ModelInUse | null> {
  if (isAgentScope(scopeId)) return null;
  const connected = await control.scope(scopeId).model.read();
  if (connected) return { source: "organization", ...connected };
  if (!installationModel || (await control.scope(scopeId).model.refusal())) return null;
  return ofInstallation(installationModel);
}

/** Shows neither its address nor the names of its credentials: they belong to the operator. */
function ofInstallation({ provider, name, prices, budget, inputs }: InstallationModel): ModelInUse {
  const shown = { inputs: {}, credentials: [], changed_at: null, changed_by: null };
  return { source: "installation", settings: { provider, name, prices, budget, ...shown }, inputs };
}

/** Returns what the scope's models used since midnight UTC. */
export function usageOfToday(scopeId: string, { control, clock }: ModelContext): Promise<ModelUsage> {
  return control.scope(scopeId).model.usage(dayOf(clock()));
}

/** Returns the status of a scope's model, without credentials. */
export async function modelStatus(scopeId: string, context: ModelContext): Promise<ModelStatus> {
  const { control, clock, installationModel } = context;
  const [inUse, refused, today, last30Days] = await Promise.all([
    modelInUse(scopeId, context),
    control.scope(scopeId).model.refusal(),
    usageOfToday(scopeId, context),
    control.scope(scopeId).model.usage(dayOf(clock() - (usageDays - 1) * dayMs)),
  ]);
  return {
    source: inUse?.source ?? null,
    model: inUse?.settings ?? null,
    installation: { offered: installationModel !== null, refused },
    today,
    last_30_days: last30Days,
    used_up: inUse && usedUp(inUse.settings.budget, today),
    prompts_kept_days: promptsKeptDays,
  };
}

/** Returns which budget of the day is used up; null while there is some left of each. */
export function usedUp(budget: ModelBudgetSettings, today: ModelUsage): ModelStatus["used_up"] {
  if (today.input_tokens + today.output_tokens >= budget.tokens_per_day) return "tokens";
  const isSpent = budget.usd_per_day !== null && today.known_cost_usd >= budget.usd_per_day;
  return isSpent ? "usd" : null;
}

/** The day of a moment in UTC, such as `2026-03-01`. */
function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, "2026-03-01".length);
}
