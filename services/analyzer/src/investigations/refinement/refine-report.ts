import { compareReports } from "@whence/protocol";
import type { EvidencePlan } from "@whence/storage";
import type { Attempt } from "../../consumers/consume.ts";
import { evidenceOf, markAsked, wasModelAsked } from "../../model-run/model-mark.ts";
import { markOf, planOf, raiseSeverity, readCase, writeReport } from "../incident-case.ts";
import type { InvestigationContext, InvestigationMessage } from "../investigation-context.ts";
import { isLastAttempt } from "../last-attempt.ts";
import { askingPlan, askModel, laterPlan, modelFor, modelWithinMs, repeated } from "./ask-model.ts";
import { refinementHoldMs } from "./refinement-watch.ts";
import { supersedes, waitsForSources } from "./supersedes.ts";

/** Only the steps of the first report are shown. */
const noStep = (): Promise<void> => Promise.resolve();

/**
 * Looks for new evidence for a report, and investigates again if there is any. Its incident stays completed in the meantime.
 * If that keeps failing, the report stays as it is.
 */
export async function refineReport(
  context: InvestigationContext,
  message: InvestigationMessage,
  attempt: Attempt,
): Promise<undefined> {
  const { incident_id: id, scope_id: scopeId } = message;
  const { control, clock, logger, metrics } = context;
  const { incidents } = control.scope(scopeId);
  const taken = await incidents.beginRefinement(id, new Date(clock() + refinementHoldMs));
  if (!taken) return;
  try {
    const found = await readCase(context, message);
    if (!found) return;
    const seenAt = clock();
    const mark = await markOf(context, found);
    const isNew = mark !== evidenceOf(taken.mark);
    const wasAsked = wasModelAsked(taken.mark);
    // Evidence goes first: a model is asked about the report that it leads to.
    const model = isNew || wasAsked ? null : await modelFor(context, scopeId);
    const asked = model
      ? await askModel(context, found, model, {
          attempt: taken.attempt,
          signal: attempt.signal,
          begin: () => incidents.refine(id, taken.attempt, null, new Date(clock()), askingPlan(mark, clock(), model)),
        })
      : null;
    if (asked === "overtaken") return;
    if (asked === "no-place") {
      await incidents.refine(id, taken.attempt, null, new Date(clock()), laterPlan(taken.mark, clock()));
      return;
    }
    const said = asked ?? (isNew ? await repeated(context, found) : null);
    const written = said ? await writeReport(context, found, noStep, attempt.signal, said) : null;
    const before = found.incident.report;
    const report = written && (!before || supersedes(before, written)) ? written : null;
    if (written) await raiseSeverity(context, found, taken.attempt);
    // Another cause for other evidence is worth another question.
    const isStillAsked =
      asked !== null || (wasAsked && !(isNew && report && before && compareReports(before, report).cause));
    const next = isStillAsked ? null : await modelWithinMs(context, scopeId);
    // The next planned look is with the same evidence, as sources that were too slow may answer then.
    const waits = asked === null && written && before && waitsForSources(before, written);
    const again = waits ? planOf(found, taken.mark ?? "", seenAt, null) : null;
    const plan = again?.refineAt ? again : planOf(found, isStillAsked ? markAsked(mark) : mark, seenAt, next);
    const isKept = await incidents.refine(id, taken.attempt, report, new Date(clock()), plan);
    metrics.investigations.inc({ outcome: !isKept ? "overtaken" : report ? "refined" : "unchanged" });
  } catch (error) {
    metrics.investigations.inc({ outcome: "retried" });
    if (!isLastAttempt(attempt, error)) throw error;
    logger.error({ err: error, incident: id }, "could not refine a report; it stays as it is");
    const final: EvidencePlan = { mark: taken.mark ?? "", refineAt: null, refinedUntil: null };
    await incidents.refine(id, taken.attempt, null, new Date(clock()), final);
  }
}
