import type { EvidencePlan } from "@whence/storage";
import type { Attempt } from "../../consumers/consume.ts";
import { markOf, planOf, raiseSeverity, readCase, writeReport } from "../incident-case.ts";
import type { InvestigationContext, InvestigationMessage } from "../investigation-context.ts";
import { isLastAttempt } from "../last-attempt.ts";
import { supersedes } from "./supersedes.ts";

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
  const taken = await incidents.beginRefinement(id);
  if (!taken) return;
  try {
    const found = await readCase(context, message);
    if (!found) return;
    const seenAt = clock();
    const mark = await markOf(context, found);
    const written = mark === taken.mark ? null : await writeReport(context, found, noStep, attempt.signal);
    const before = found.incident.report;
    const report = written && (!before || supersedes(before, written)) ? written : null;
    if (written) await raiseSeverity(context, found, taken.attempt);
    await incidents.refine(id, taken.attempt, report, new Date(clock()), planOf(found, mark, seenAt));
    metrics.investigations.inc({ outcome: report ? "refined" : "unchanged" });
  } catch (error) {
    metrics.investigations.inc({ outcome: "retried" });
    if (!isLastAttempt(attempt, error)) throw error;
    logger.error({ err: error, incident: id }, "could not refine a report; it stays as it is");
    const final: EvidencePlan = { mark: taken.mark ?? "", refineAt: null, refinedUntil: null };
    await incidents.refine(id, taken.attempt, null, new Date(clock()), final);
  }
}
