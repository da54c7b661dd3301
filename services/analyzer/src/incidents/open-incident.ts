import type { Decision } from "@whence/protocol";
import type { AllowedIncident, ControlDb, StoredIncident } from "@whence/storage";
import { incidentFromText } from "../analysis/from-text.ts";
import type { AnalyzerMetrics } from "../metrics.ts";
import type { DecisionSources } from "./correlate/group-to-decide.ts";
import { type AnalysisOrigin, type SplitOffOrigin, startOf } from "./decide/origin.ts";
import { OccurrencesDecider, type OccurrencesToDecide, type TakenDecision } from "./occurrences-decider.ts";

/** What opening an incident takes, whatever it opens for. */
export interface OpeningContext {
  readonly control: ControlDb;
  readonly clock: () => number;
  readonly metrics: Pick<AnalyzerMetrics, "incidents">;
  /** Publishes the message that asks for the investigation, which is stored together with the incident. */
  readonly relayOutbox: () => void;
}

/**
 * Opens an incident for what telemetry shows, has it join one, or skips it. Deciding twice about the same occurrences
 * changes nothing.
 */
export async function openForOccurrences(
  context: OpeningContext & DecisionSources,
  toDecide: OccurrencesToDecide,
): Promise<TakenDecision> {
  const taken = await new OccurrencesDecider(context, toDecide).decide();
  conclude(context, taken.isNew ? taken.decision : null);
  return taken;
}

/** Opens an incident for a failure that had joined another one. Null when it hadn't. */
export async function openForSplitOff(
  context: OpeningContext,
  scopeId: string,
  origin: SplitOffOrigin,
): Promise<StoredIncident | null> {
  const { incidentId, fingerprint, splitBy } = origin;
  const split = await context.control.scope(scopeId).failures.splitOff({
    ...{ incidentId, fingerprint, trigger: startOf(origin).trigger, now: new Date(context.clock()) },
    decision: { outcome: "opened", rule: "split-off", reason: `${splitBy} split it off incident ${incidentId}` },
  });
  conclude(context, split?.decision ?? null);
  return split;
}

/** Opens an incident for a text, unless its sender has used up the allowance. */
export async function openForAnalysis(
  context: OpeningContext,
  scopeId: string,
  { asked, agentId, keyId, allowance, room }: AnalysisOrigin,
): Promise<AllowedIncident> {
  const incident = { ...incidentFromText(asked, agentId, new Date(context.clock())), askedByKeyId: keyId };
  const allowed = await context.control.scope(scopeId).incidents.openWithin(incident, allowance, room);
  conclude(context, allowed.outcome === "opened" ? allowed.incident.decision : null);
  return allowed;
}

/** `decision` is null when nothing was decided that hadn't been before. */
function conclude({ metrics, relayOutbox }: OpeningContext, decision: Decision | null): void {
  if (decision) metrics.incidents.inc({ outcome: decision.outcome, rule: decision.rule });
  relayOutbox();
}
