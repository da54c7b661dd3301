import { type Gap, type GatheredFile, type Observation, observeFinding } from "@whence/engine";
import type { Logger } from "../logger.ts";
import type { ConfiguredModel, Models, ModelUse } from "../models/models.ts";
import { redactor } from "../models/redaction/redact.ts";
import { agreed } from "./agreement.ts";
import { CaseFiles } from "./case-files.ts";
import { modelRunLimits } from "./limits.ts";
import type { ModelCase } from "./model-case.ts";
import { type RunOutcome, runOnce } from "./one-run.ts";

/** What a model brings to an investigation: findings that aren't checked yet, and what they quote. */
export interface ModelContribution {
  readonly observations: readonly Observation[];
  readonly notChecked: readonly Gap[];
  readonly files: readonly GatheredFile[];
}

/** The surroundings of a model run. */
export interface ModelRunContext {
  readonly models: Models;
  readonly clock: () => number;
  readonly onStep: (detail: string) => Promise<void>;
  readonly logger: Logger;
}

/**
 * Asks a model about an incident in independent runs at the same time, which share its budget, and records what they
 * used. Rejects only when it is stopped, after recording: what failed is a gap.
 */
export async function runModel(
  scopeId: string,
  configured: ConfiguredModel,
  modelCase: ModelCase,
  context: ModelRunContext,
  stopping: AbortSignal,
): Promise<ModelContribution> {
  const { models, clock } = context;
  const { budget, provider, name } = configured;
  const model = `${provider} ${name}`;
  const startedAt = clock();
  const within = AbortSignal.timeout(budget.withinMs);
  const signal = AbortSignal.any([stopping, within]);
  const files = new CaseFiles(modelCase.subject, modelCase.tree);
  const privacy = redactor();
  const tokensMax = Math.floor(budget.tokens / modelRunLimits.runs);
  const onStep = (detail: string): Promise<void> => orLogged(context, context.onStep(detail), "a step of a model");
  const order = { modelCase, files, configured, tokensMax, redactor: privacy, startedAt, clock };
  const outcomes = await Promise.all(
    Array.from({ length: modelRunLimits.runs }, (_, run) =>
      runOnce({ ...order, onStep: (detail) => onStep(`Run ${run + 1}: ${detail}`) }, signal),
    ),
  );
  const answered = outcomes.flatMap(({ proposed }) => (proposed ? [proposed] : []));
  const findings = agreed(model, answered, modelRunLimits.runs);
  const [failed] = outcomes.flatMap(({ failure }) => failure ?? []);
  const gap: Gap[] = failed && answered.length === 0 ? [{ kind: "model-failed", model, why: failed }] : [];
  const asked = answered.length > 0 ? (findings.length > 0 ? "answered" : "nothing_held") : (failed ?? "unreadable");
  const outcome = stopping.aborted ? "stopped" : asked;
  const use = { incidentId: modelCase.incidentId, provider, name, startedAt: new Date(startedAt), outcome };
  const recording = models.record(scopeId, {
    ...use,
    ...totals(outcomes, configured),
    durationMs: clock() - startedAt,
    replaced: privacy.replaced,
  });
  await orLogged(context, recording, "what a model used");
  stopping.throwIfAborted();
  await onStep(failed && answered.length === 0 ? `No answer: ${failed}` : `Proposed: ${findings.length} findings`);
  const at = new Date(startedAt).toISOString();
  return { observations: findings.map((one) => observeFinding(one, at)), notChecked: gap, files: files.opened };
}

/** A report doesn't depend on what is written beside it. */
async function orLogged({ logger }: ModelRunContext, written: Promise<void>, what: string): Promise<void> {
  try {
    await written;
  } catch (error) {
    logger.error({ err: error }, `could not store ${what}`);
  }
}

function totals(
  outcomes: readonly RunOutcome[],
  { costUsd }: ConfiguredModel,
): Pick<ModelUse, "inputTokens" | "outputTokens" | "runs" | "costUsd" | "sent"> {
  const inputTokens = outcomes.reduce((sum, one) => sum + one.inputTokens, 0);
  const outputTokens = outcomes.reduce((sum, one) => sum + one.outputTokens, 0);
  return {
    ...{ inputTokens, outputTokens, runs: outcomes.length, costUsd: costUsd({ inputTokens, outputTokens }) },
    sent: outcomes.flatMap(({ sent }) => sent),
  };
}
