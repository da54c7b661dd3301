import { minuteMs, secondMs } from "@whence/protocol";
import type { EvidencePlan } from "@whence/storage";
import { markAsked } from "../../model-run/model-mark.ts";
import { runModel } from "../../model-run/model-run.ts";
import type { ModelStep } from "../../model-run/model-step.ts";
import { saidBefore } from "../../model-run/said-before.ts";
import type { BudgetUsedUp, ConfiguredModel } from "../../models/models.ts";
import { openTree } from "../../sources/service-sources.ts";
import { type Asked, gatherCase, type IncidentCase, type Repeated } from "../incident-case.ts";
import type { InvestigationContext } from "../investigation-context.ts";
import { modelCaseOf } from "../model-case-of.ts";

/** When a model is asked again that couldn't be asked because others are. */
const againAfterMs = 5 * secondMs;

/** From the moment a model is asked until another process may take its report: longer than runs may take. */
const askedHoldMs = 10 * minuteMs;

/** Returns the model that a scope may use now; null when there is none, or its budget of the day is used up. */
export async function modelFor(context: InvestigationContext, scopeId: string): Promise<ConfiguredModel | null> {
  const found = await configuredFor(context, scopeId);
  return found === "budget_used_up" ? null : found;
}

/** Returns the model of a scope, or that its budget of the day is used up; null when there is none. */
export async function configuredFor(
  { models, logger }: InvestigationContext,
  scopeId: string,
): Promise<ConfiguredModel | BudgetUsedUp | null> {
  try {
    return (await models?.configured(scopeId)) ?? null;
  } catch (error) {
    // A report never depends on a model.
    logger.error({ err: error }, "could not find out which model to use; none is asked");
    return null;
  }
}

/** Returns how long the model of a scope may take; null when there is none, or its budget of the day is used up. */
export async function modelWithinMs(
  context: InvestigationContext,
  scopeId: string,
): Promise<number | BudgetUsedUp | null> {
  const model = await configuredFor(context, scopeId);
  if (model === null || model === "budget_used_up") return model;
  await model.close();
  return model.budget.withinMs;
}

interface Asking {
  readonly attempt: number;
  readonly signal: AbortSignal;
  /** Stores that the model is asked; false when another attempt has the incident. */
  readonly begin: () => Promise<boolean>;
}

/**
 * Asks a model about an incident, records its steps, and closes it. Returns `no-place` while too many models are
 * asked, and `overtaken` when another attempt has the incident.
 */
export async function askModel(
  context: InvestigationContext,
  found: IncidentCase,
  model: ConfiguredModel,
  asking: Asking,
): Promise<Asked | "no-place" | "overtaken"> {
  const giveBack = context.modelPlaces ? context.modelPlaces.take() : () => undefined;
  try {
    return giveBack ? await ask(context, found, model, asking) : "no-place";
  } finally {
    giveBack?.();
    await model.close();
  }
}

async function ask(
  context: InvestigationContext,
  found: IncidentCase,
  model: ConfiguredModel,
  { attempt, signal, begin }: Asking,
): Promise<Asked | "overtaken"> {
  const { scopeId, incident } = found;
  const { control, clock, models, logger } = context;
  const { incidents } = control.scope(scopeId);
  const { report } = incident;
  const gathered = await gatherCase(context, found, signal);
  if (!models || !report) return { gathered, said: { observations: [], notChecked: [], files: [] } };
  const { whole, collecting } = gathered;
  await collecting;
  let seq = (await incidents.steps(incident.id, 0)).at(-1)?.seq ?? 0;
  const onStep = async (said: ModelStep): Promise<void> => {
    seq += 1;
    await incidents.addStep(incident.id, attempt, { seq, at: new Date(clock()).toISOString(), step: "model", ...said });
  };
  const readUntil = AbortSignal.any([signal, AbortSignal.timeout(model.budget.withinMs)]);
  const reported = { report, subject: whole, gathered: async () => gathered, readUntil };
  const modelCase = await modelCaseOf(context, found, reported);
  if (!(await begin())) return "overtaken";
  return { gathered, said: await runModel(scopeId, model, modelCase, { models, clock, onStep, logger }, signal) };
}

/** Returns what a model said for the last version of the report, for the next one. */
export async function repeated(context: InvestigationContext, found: IncidentCase): Promise<Repeated> {
  const { report } = found.incident;
  if (report?.engine.model === undefined) return { said: null, gathered: null };
  return { said: await saidBefore(report, await openTree(found.subject, found.scopeId, context)), gathered: null };
}

/**
 * The plan of a report while its model is asked. A process that dies meanwhile has asked: the next look comes after any
 * run has ended, and doesn't ask again.
 */
export function askingPlan(mark: string, now: number, { budget }: Pick<ConfiguredModel, "budget">): EvidencePlan {
  return {
    mark: markAsked(mark),
    refineAt: new Date(now + askedHoldMs),
    refinedUntil: new Date(now + budget.withinMs),
  };
}

/** The plan of a report whose model is to be asked a little later. */
export function laterPlan(mark: string | null, now: number): EvidencePlan {
  const at = new Date(now + againAfterMs);
  return { mark: mark ?? "", refineAt: at, refinedUntil: at };
}
