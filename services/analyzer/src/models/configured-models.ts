import { type ModelBudgetSettings, type ModelUsage, secondMs } from "@whence/protocol";
import { type OutboundContext, openLanguageModel } from "@whence/vendors";
import type { AnalyzerMetrics } from "../metrics.ts";
import { costOf } from "./cost.ts";
import { type ModelContext, modelInUse, usageOfToday, usedUp } from "./model-in-use.ts";
import type { ModelBudget, Models, ModelTokens, ModelUse } from "./models.ts";

export interface ConfiguredModelsOptions extends ModelContext {
  readonly outbound: OutboundContext;
  readonly metrics: Pick<AnalyzerMetrics, "modelInvestigations" | "modelQuestions" | "modelTokens">;
}

/** Outcomes that are counted by name; every other one is a failure, for a reason that only the record names. */
const countedOutcomes: ReadonlySet<string> = new Set(["answered", "nothing_held"]);

/**
 * The models that organizations and the operator configured, within the budgets of the day. Several investigations that
 * run at once may together use more than is left of a day's budget, each no more than an investigation may.
 */
export function configuredModels(options: ConfiguredModelsOptions): Models {
  const { control, outbound, metrics } = options;
  return {
    async configured(scopeId) {
      const inUse = await modelInUse(scopeId, options);
      if (!inUse) return null;
      const { settings, inputs } = inUse;
      const { provider, name, prices, budget } = settings;
      const today = await usageOfToday(scopeId, options);
      if (usedUp(budget, today) !== null) return "budget_used_up";
      const opened = await openLanguageModel({ provider, name, inputs }, outbound);
      const costUsd = (tokens: ModelTokens): number | null => costOf(tokens, prices);
      return { ...opened, provider, name, costUsd, budget: budgetOf(budget, today) };
    },
    async record(scopeId, use) {
      const { outcome, purpose } = use;
      const counter = purpose === "question" ? metrics.modelQuestions : metrics.modelInvestigations;
      counter.inc({ outcome: countedOutcomes.has(outcome) ? outcome : "failed" });
      metrics.modelTokens.inc({ direction: "input" }, use.inputTokens);
      metrics.modelTokens.inc({ direction: "output" }, use.outputTokens);
      await control.scope(scopeId).model.record(toRun(use));
    },
  };
}

/** An investigation's budget, or the rest of the daily budget if that is less. */
function budgetOf(budget: ModelBudgetSettings, today: ModelUsage): ModelBudget {
  const { tokens_per_investigation: tokens, tokens_per_day: tokensOfDay, seconds_per_investigation: seconds } = budget;
  const usdLeft = budget.usd_per_day === null ? null : budget.usd_per_day - today.known_cost_usd;
  const limits = [budget.usd_per_investigation, usdLeft].filter((usd) => usd !== null);
  return {
    tokens: Math.min(tokens, tokensOfDay - today.input_tokens - today.output_tokens),
    costUsd: limits.length === 0 ? null : Math.min(...limits),
    withinMs: seconds * secondMs,
  };
}

function toRun({ incidentId, purpose, provider, name, runs, outcome, replaced, sent, ...use }: ModelUse) {
  return {
    incident_id: incidentId,
    purpose,
    provider,
    name,
    runs,
    outcome,
    replaced,
    input_tokens: use.inputTokens,
    output_tokens: use.outputTokens,
    cost_usd: use.costUsd,
    started_at: use.startedAt.toISOString(),
    duration_ms: Math.round(use.durationMs),
    prompts: sent.map(({ sentAt, text }) => ({ sent_at: sentAt.toISOString(), text })),
  };
}
