import { type IncidentStep, secondMs, WhenceError } from "@whence/protocol";
import { changedFiles } from "../changes/changed-files.ts";
import type { Attempt } from "../consumers/consume.ts";
import { analyzerErrors } from "../errors.ts";
import type { InvestigationOutcome } from "../metrics.ts";
import { markOf, planOf, raiseSeverity, readCase, writeReport } from "./incident-case.ts";
import type { InvestigationContext, InvestigationMessage } from "./investigation-context.ts";
import { isLastAttempt } from "./last-attempt.ts";
import { modelWithinMs } from "./refinement/ask-model.ts";
import { refineReport } from "./refinement/refine-report.ts";

/**
 * Investigates the incident that a message names and stores the report, or refines the existing one. A process that dies in
 * the middle leaves the incident `investigating`; the message is delivered again, and the investigation starts over. From
 * the fifth attempt that fails, or the second that takes too long, the incident ends as `failed`, with the reason. A stalled
 * attempt can't change anything once another has taken over.
 */
export function investigationHandler(
  context: InvestigationContext,
): (message: InvestigationMessage, attempt: Attempt) => Promise<undefined> {
  const { metrics } = context;
  return async (message, attempt) => {
    if (message.refine) return refineReport(context, message, attempt);
    const { incidents } = context.control.scope(message.scope_id);
    const number = await incidents.begin(message.incident_id, new Date(context.clock()));
    if (number === null) return;
    metrics.investigationsActive.inc();
    try {
      const outcome = await runAttempt(context, { ...message, number }, attempt);
      metrics.investigations.inc({ outcome });
    } catch (error) {
      metrics.investigations.inc({ outcome: "retried" });
      throw error;
    } finally {
      metrics.investigationsActive.dec();
    }
  };
}

/** An incident taken for an attempt, whose number fences off earlier ones. */
interface TakenIncident extends InvestigationMessage {
  readonly number: number;
}

/** Returns how the attempt ended; rejects when it should be retried. */
async function runAttempt(
  context: InvestigationContext,
  taken: TakenIncident,
  attempt: Attempt,
): Promise<InvestigationOutcome> {
  const startedAt = context.clock();
  try {
    const isKept = await conclude(context, taken, attempt.signal);
    if (!isKept) return "overtaken";
    context.metrics.investigationSeconds.observe((context.clock() - startedAt) / secondMs);
    return "completed";
  } catch (error) {
    if (!isLastAttempt(attempt, error)) throw error;
    const { incident_id: id, scope_id: scopeId, number } = taken;
    context.logger.error({ err: error, incident: id }, "an investigation failed; no attempts are left");
    const failure = failureOf(error, attempt.number);
    const { incidents } = context.control.scope(scopeId);
    const isKept = await incidents.fail(id, number, failure, new Date(context.clock()));
    return isKept ? "failed" : "overtaken";
  }
}

/** Investigates and stores the report; false when another attempt has taken the incident in the meantime. */
async function conclude(context: InvestigationContext, taken: TakenIncident, stopping: AbortSignal): Promise<boolean> {
  const { incident_id: incidentId, scope_id: scopeId, number } = taken;
  const { incidents } = context.control.scope(scopeId);
  const found = await readCase(context, taken);
  if (!found) return false;
  let seq = 0;
  const onStep = async (step: IncidentStep["step"], detail: string): Promise<void> => {
    seq += 1;
    const at = new Date(context.clock()).toISOString();
    await incidents.addStep(incidentId, number, { seq, at, step, detail });
  };
  const seenAt = context.clock();
  // First: evidence that arrives during the investigation changes the next mark.
  const mark = await markOf(context, found);
  const [report, changed] = await Promise.all([
    writeReport(context, found, onStep, stopping),
    changedFiles(context, found, stopping),
  ]);
  await raiseSeverity(context, found, number);
  const withinMs = await modelWithinMs(context, scopeId);
  const plan = planOf(found, mark, seenAt, withinMs);
  const isKept = await incidents.complete(incidentId, number, report, new Date(context.clock()), { plan, changed });
  // Counted here only, so once an incident: each of its refinements asks again.
  if (isKept && withinMs === "budget_used_up") context.metrics.modelInvestigations.inc({ outcome: withinMs });
  return isKept;
}

function failureOf(error: unknown, attempts: number): { code: string; message: string } {
  if (error instanceof WhenceError) return { code: error.code, message: error.message };
  const cause = error instanceof Error ? error.message : String(error);
  const failed = analyzerErrors.create("WHENCE_ERR_INVESTIGATION_FAILED", [attempts, cause]);
  return { code: failed.code, message: failed.message };
}
