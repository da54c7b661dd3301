import { modelProviders, type Report } from "@whence/protocol";
import { type GatheredCase, gatherCase, readCase } from "../investigations/incident-case.ts";
import type { InvestigationContext } from "../investigations/investigation-context.ts";
import { modelCaseOf } from "../investigations/model-case-of.ts";
import { configuredFor } from "../investigations/refinement/ask-model.ts";
import { CaseFiles } from "../model-run/case-files.ts";
import { modelRunLimits } from "../model-run/limits.ts";
import type { ModelCase } from "../model-run/model-case.ts";
import { modelPlaces } from "../model-run/model-places.ts";
import { questionTask } from "../model-run/question-task.ts";
import { runTask } from "../model-run/task-runs.ts";
import type { ConfiguredModel, ModelBudget, Models } from "../models/models.ts";
import type { AskedIncident, AskModel, ModelAnswer } from "./ask-model.ts";

/** What asking models about reports takes. */
export interface ReportModelContext extends InvestigationContext {
  readonly models: Models;
}

/**
 * Returns what asks the models of scopes about finished reports, within the budget of one run. A question changes no
 * report, and is recorded like a run of an investigation.
 */
export function reportModel(context: ReportModelContext): AskModel {
  const places = modelPlaces(modelRunLimits.questionsAtOnce);
  const unasked = (outcome: "budget_used_up" | "busy", model: string | null): ModelAnswer => {
    context.metrics.modelQuestions.inc({ outcome });
    return { model, outcome, statements: [], dropped: [] };
  };
  return async (scopeId, incident, question) => {
    const configured = await configuredFor(context, scopeId);
    if (configured === null) return null;
    if (configured === "budget_used_up") return unasked("budget_used_up", null);
    const giveBack = places.take();
    try {
      return giveBack
        ? await ask(context, scopeId, configured, incident, question)
        : unasked("busy", nameOf(configured));
    } finally {
      giveBack?.();
      await configured.close();
    }
  };
}

async function ask(
  context: ReportModelContext,
  scopeId: string,
  configured: ConfiguredModel,
  { id: incidentId, report }: AskedIncident,
  question: string,
): Promise<ModelAnswer> {
  const model = nameOf(configured);
  try {
    const budget = budgetOf(configured.budget);
    const ended = AbortSignal.timeout(budget.withinMs);
    const modelCase = await caseOf(context, scopeId, incidentId, report, ended);
    const files = new CaseFiles(modelCase?.subject.input.files ?? [], modelCase?.tree ?? null);
    const { text: preferences } = await context.control.scope(scopeId).instructions.read();
    const task = questionTask({ question, report, preferences, modelCase }, files);
    const order = {
      incidentId,
      purpose: "question",
      tasks: [task],
      files,
      budget,
    } as const;
    const around = { ...context, onStep: async () => undefined };
    const { results, failure } = await runTask(scopeId, configured, order, around, new AbortController().signal);
    const { statements, dropped } = results[0] ?? { statements: [], dropped: [] };
    return { model, outcome: failure ?? (statements.length === 0 ? "nothing_held" : "answered"), statements, dropped };
  } catch (error) {
    context.logger.error({ err: error, incident: incidentId }, "could not ask a model about a report");
    return { model, outcome: "unavailable", statements: [], dropped: [] };
  }
}

/** What an investigation could read. An incident whose event is gone has its report left, which can be asked about. */
async function caseOf(
  context: ReportModelContext,
  scopeId: string,
  incidentId: string,
  report: Report,
  ended: AbortSignal,
): Promise<ModelCase | null> {
  try {
    const found = await readCase(context, { incident_id: incidentId, scope_id: scopeId });
    if (!found) return null;
    // Third parties are asked once, and only when a tool needs what they answer.
    let gathering: Promise<GatheredCase> | null = null;
    const gathered = (): Promise<GatheredCase> => (gathering ??= gatherCase(context, found, ended));
    return await modelCaseOf(context, found, { report, subject: found.subject, gathered, readUntil: ended });
  } catch (error) {
    context.logger.warn({ err: error, incident: incidentId }, "could not read what an incident is about for a model");
    return null;
  }
}

function nameOf({ provider, name }: ConfiguredModel): string {
  return `${modelProviders[provider].label} ${name}`;
}

/** The budget of one run of an investigation, within the time that a person waits. */
function budgetOf({ tokens, costUsd, withinMs }: ModelBudget): ModelBudget {
  const { runs, questionWithinMs } = modelRunLimits;
  return {
    tokens: Math.floor(tokens / runs),
    costUsd: costUsd === null ? null : costUsd / runs,
    withinMs: Math.min(withinMs, questionWithinMs),
  };
}
