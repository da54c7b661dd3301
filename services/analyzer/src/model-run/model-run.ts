import { type Gap, type GatheredFile, type Observation, observeFinding, quotedIn } from "@whence/engine";
import { modelProviders } from "@whence/protocol";
import type { ConfiguredModel } from "../models/models.ts";
import { agreed } from "./agreement.ts";
import { CaseFiles } from "./case-files.ts";
import { findingTask } from "./finding-task.ts";
import { modelRunLimits } from "./limits.ts";
import type { ModelCase } from "./model-case.ts";
import { type ModelRunContext, noteStep, runTask } from "./task-runs.ts";

/** What a model brings to an investigation: findings that aren't checked yet, and what they quote of telemetry and code. */
export interface ModelContribution {
  readonly observations: readonly Observation[];
  readonly notChecked: readonly Gap[];
  readonly files: readonly GatheredFile[];
}

/** Asks a model about an incident in independent runs. Rejects only when it is stopped: what failed is a gap. */
export async function runModel(
  scopeId: string,
  configured: ConfiguredModel,
  modelCase: ModelCase,
  context: ModelRunContext,
  stopping: AbortSignal,
): Promise<ModelContribution> {
  const { budget, provider, name } = configured;
  const model = `${modelProviders[provider].label} ${name}`;
  const files = new CaseFiles(modelCase.subject.input.files ?? [], modelCase.tree);
  const { incidentId } = modelCase;
  // What a run that knows the engine's report says isn't independent of it.
  const views = Array.from({ length: modelRunLimits.runs }, (_, run) => ({ isBlind: run > 0 }));
  const order = {
    incidentId,
    purpose: "investigation",
    tasks: views.map((view) => findingTask(modelCase, files, view)),
    files,
    budget,
  } as const;
  const { results, failure, startedAt } = await runTask(scopeId, configured, order, context, stopping);
  const findings = agreed(
    model,
    views.map((view, run) => ({ ...view, proposed: results[run] ?? null })),
  );
  const proposed = findings.length === 1 ? "Proposed 1 finding" : `Proposed ${findings.length} findings`;
  await noteStep(context, { detail: failure === null ? proposed : `No answer: ${failure}` });
  const at = new Date(startedAt).toISOString();
  return {
    observations: [
      ...quotedIn(
        findings.flatMap(({ citations }) => citations),
        modelCase.telemetry.answered,
      ),
      ...findings.map((one) => observeFinding(one, at)),
    ],
    notChecked: failure === null ? [] : [{ kind: "model-failed", model, why: failure }],
    files: files.opened,
  };
}
