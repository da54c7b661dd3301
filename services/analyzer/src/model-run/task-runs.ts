import type { ModelFailure } from "@whence/engine";
import type { Logger } from "../logger.ts";
import type { ConfiguredModel, ModelBudget, Models, ModelUse } from "../models/models.ts";
import { redactor } from "../models/redaction/redact.ts";
import type { CaseFiles } from "./case-files.ts";
import type { ModelStep } from "./model-step.ts";
import { type ModelTask, type RunOutcome, runOnce } from "./one-run.ts";

/** The surroundings of model runs. */
export interface ModelRunContext {
  readonly models: Models;
  readonly clock: () => number;
  readonly onStep: (step: ModelStep) => Promise<void>;
  readonly logger: Logger;
}

/** A task as each of its independent runs gets it, and what all of them may use. */
export interface OrderedRuns<Ended, Result> extends Pick<ModelUse, "incidentId" | "purpose"> {
  readonly tasks: readonly ModelTask<Ended, Result>[];
  readonly files: CaseFiles;
  readonly budget: ModelBudget;
}

/** The outcome of the runs. */
export interface TaskResults<Result> {
  /** Of each run, in their order; null of one that failed. */
  readonly results: readonly (Result | null)[];
  /** Why no run ended with a result; null when one did. */
  readonly failure: ModelFailure | null;
  readonly startedAt: number;
}

/**
 * Does a task at the same time in independent runs, which share its budget, and records what they used. Rejects only
 * when it is stopped, after recording.
 */
export async function runTask<Ended, Result>(
  scopeId: string,
  configured: ConfiguredModel,
  { tasks, files, budget, ...about }: OrderedRuns<Ended, Result>,
  context: ModelRunContext,
  stopping: AbortSignal,
): Promise<TaskResults<Result>> {
  const { models, clock } = context;
  const { provider, name } = configured;
  const startedAt = clock();
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(budget.withinMs)]);
  const privacy = redactor();
  const runs = tasks.length;
  const part = partOf(budget, runs);
  const order = { files, configured, budget: part, redactor: privacy, startedAt, clock };
  const outcomes = await Promise.all(
    tasks.map((task, run) => {
      const which = runs === 1 ? "" : `Run ${run + 1}: `;
      return runOnce(
        { ...order, task, onStep: (step) => noteStep(context, { ...step, detail: `${which}${step.detail}` }) },
        signal,
      );
    }),
  );
  const results = outcomes.map(({ result }) => result);
  const [failed = "unreadable"] = outcomes.flatMap(({ failure }) => failure ?? []);
  const failure = results.every((one) => one === null) ? failed : null;
  const isEmpty = outcomes.every(({ result }, run) => result === null || tasks[run]?.isEmpty(result));
  const ended = failure ?? (isEmpty ? "nothing_held" : "answered");
  const recording = models.record(scopeId, {
    ...about,
    provider,
    name,
    runs,
    startedAt: new Date(startedAt),
    durationMs: clock() - startedAt,
    outcome: stopping.aborted ? "stopped" : ended,
    replaced: privacy.replaced,
    ...totals(outcomes, configured),
  });
  await orLogged(context, recording, "what a model used");
  stopping.throwIfAborted();
  return { results, failure, startedAt };
}

/** Stores a step of a model. What is computed doesn't depend on what is written beside it. */
export function noteStep(context: ModelRunContext, step: ModelStep): Promise<void> {
  return orLogged(context, context.onStep(step), "a step of a model");
}

async function orLogged({ logger }: ModelRunContext, written: Promise<void>, what: string): Promise<void> {
  try {
    await written;
  } catch (error) {
    logger.error({ err: error }, `could not store ${what}`);
  }
}

function partOf({ tokens, costUsd, withinMs }: ModelBudget, runs: number): ModelBudget {
  return { tokens: Math.floor(tokens / runs), costUsd: costUsd === null ? null : costUsd / runs, withinMs };
}

function totals(
  outcomes: readonly RunOutcome<unknown>[],
  { costUsd }: ConfiguredModel,
): Pick<ModelUse, "inputTokens" | "outputTokens" | "costUsd" | "sent"> {
  const inputTokens = outcomes.reduce((sum, one) => sum + one.inputTokens, 0);
  const outputTokens = outcomes.reduce((sum, one) => sum + one.outputTokens, 0);
  return {
    inputTokens,
    outputTokens,
    costUsd: costUsd({ inputTokens, outputTokens }),
    sent: outcomes.flatMap(({ sent }) => sent),
  };
}
