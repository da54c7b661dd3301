import { type AlertSourceKind, type Decision, hourMs } from "@whence/protocol";
import type {
  AlertScope,
  Allowance,
  AllowedIncident,
  ControlDb,
  ConversationScope,
  FailureScope,
  IncidentScope,
  KnownFailure,
  Scoped,
  StoredIncident,
} from "@whence/storage";
import { incidentFromText } from "../analysis/from-text.ts";
import { headOf, incidentFromConversation } from "../conversations/incident-from-conversation.ts";
import { type ConversationOrigin, discussedFailure, linkedIncident } from "../conversations/incident-of-discussion.ts";
import type { AnalyzerMetrics } from "../metrics.ts";
import { alertedFailure } from "../triggers/alerted-failure.ts";
import { type AlertOrigin, incidentFromAlert, nameOf } from "../triggers/incident-from-alert.ts";
import { triggerLimits } from "../triggers/trigger-limits.ts";
import type { DecisionSources } from "./correlate/group-to-decide.ts";
import { type AnalysisOrigin, type SplitOffOrigin, startOf } from "./decide/origin.ts";
import { OccurrencesDecider, type OccurrencesToDecide, type TakenDecision } from "./occurrences-decider.ts";

/** What opening an incident takes, whatever it opens for. `Control` is what it reads and writes of the control database. */
export interface OpeningContext<Control = ControlDb> {
  readonly control: Control;
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
  context: OpeningContext<Scoped<FailureScope>> & DecisionSources,
  toDecide: OccurrencesToDecide,
): Promise<TakenDecision> {
  const taken = await new OccurrencesDecider(context, toDecide).decide();
  conclude(context, taken.isNew ? taken.decision : null);
  return taken;
}

/** Opens an incident for a failure that had joined another one. Null when it hadn't. */
export async function openForSplitOff(
  context: OpeningContext<Scoped<FailureScope>>,
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
  context: OpeningContext<Scoped<IncidentScope>>,
  scopeId: string,
  { asked, agentId, keyId, allowance, room }: AnalysisOrigin,
): Promise<AllowedIncident> {
  const incident = { ...incidentFromText(asked, agentId, new Date(context.clock())), askedByKeyId: keyId };
  const allowed = await context.control.scope(scopeId).incidents.openWithin(incident, allowance, room);
  conclude(context, allowed.outcome === "opened" ? allowed.incident.decision : null);
  return allowed;
}

/** What an announced failure is looked up in, and written to. */
export type AlertingScope = IncidentScope & FailureScope & AlertScope;

/**
 * Opens an incident for a failure that someone announces, unless telemetry has opened one for it: then the alert belongs to
 * that one. False when the alert was known.
 */
export async function openForAlert(
  context: OpeningContext<Scoped<AlertingScope>>,
  scopeId: string,
  origin: AlertOrigin,
): Promise<boolean> {
  const scope = context.control.scope(scopeId);
  const failure = await alertedFailure(scope.failures, origin.alert);
  return openOrJoin(context, scope, origin, { failure, joins: failure?.incidentId ?? null });
}

/**
 * Opens an incident for failures that a deployment made more frequent, unless the failure has one that opened since: then the
 * alert belongs to that one. False when the alert was known.
 */
export async function openForDeployment(
  context: OpeningContext<Scoped<AlertingScope>>,
  scopeId: string,
  origin: AlertOrigin,
  { fingerprint, liveAt }: { readonly fingerprint: string; readonly liveAt: string },
): Promise<boolean> {
  const scope = context.control.scope(scopeId);
  const { env } = origin.alert;
  const failure = env === null ? null : await scope.failures.find(fingerprint, env);
  const known = failure?.incidentId ? await scope.incidents.find(failure.incidentId) : null;
  const isSince = known !== null && Date.parse(known.created_at) >= Date.parse(liveAt);
  return openOrJoin(context, scope, origin, { failure, joins: isSince ? known.id : null });
}

interface AlertedFailure {
  readonly failure: KnownFailure | null;
  /** The incident that the alert belongs to; null when one is to open. */
  readonly joins: string | null;
}

async function openOrJoin(
  context: Omit<OpeningContext, "control">,
  scope: AlertingScope,
  origin: AlertOrigin,
  { failure, joins }: AlertedFailure,
): Promise<boolean> {
  const { metrics, clock } = context;
  const { title, url, at: firedAt } = origin.alert;
  const { alertForgottenAfterMs: forgottenAfterMs } = triggerLimits;
  const allowance = await sourceAllowance(scope);
  const now = new Date(clock());
  const named = { ...nameOf(origin), title, url, firedAt, now, forgottenAfterMs, allowance };
  if (joins !== null) {
    const isNew = (await scope.alerts.open(named, { id: joins })) !== null;
    if (isNew) metrics.incidents.inc({ outcome: "joined", rule: "alert" });
    return isNew;
  }
  const about = failure && (await lastEventOf(scope, failure));
  const opened = await scope.alerts.open(named, await incidentFromAlert(origin, about, now));
  if (opened === "withheld") metrics.incidents.inc({ outcome: "skipped", rule: "source-budget-spent" });
  const isOpened = opened !== null && opened !== "noted" && opened !== "withheld";
  conclude(context, isOpened ? opened.decision : null);
  return isOpened;
}

/**
 * Opens an incident for a conversation, unless people discuss one that there is: one that they link to, or that telemetry
 * opened for a service that they name. Doing it again changes nothing.
 */
export async function openForConversation(
  context: OpeningContext<Scoped<IncidentScope & FailureScope & ConversationScope>> & { readonly appUrl: string },
  origin: ConversationOrigin,
  kind: AlertSourceKind,
): Promise<void> {
  const { control, clock, metrics, appUrl } = context;
  const { id, scopeId } = origin.conversation;
  const scope = control.scope(scopeId);
  const now = new Date(clock());
  const linked = await linkedIncident(scope, origin, appUrl);
  const failure = linked === null ? await discussedFailure(scope, origin) : null;
  const known = linked ?? failure?.incidentId ?? null;
  if (known !== null) {
    const isNew = (await scope.conversations.open(id, headOf(origin), { id: known }, now)) !== null;
    if (isNew) metrics.incidents.inc({ outcome: "joined", rule: "conversation" });
    return;
  }
  const about = failure && (await lastEventOf(scope, failure));
  const incident = await incidentFromConversation(origin, kind, about, now);
  const allowance = await sourceAllowance(scope);
  const opened = await scope.conversations.open(id, headOf(origin), { opening: incident, allowance }, now);
  conclude(context, opened === null || opened === "joined" ? null : opened.decision);
}

/** What one source may open. */
async function sourceAllowance({ thresholds }: Pick<FailureScope, "thresholds">): Promise<Allowance> {
  const { source_incidents_per_hour: max } = await thresholds.read();
  return { max, spanMs: hourMs };
}

async function lastEventOf(
  { failures }: Pick<FailureScope, "failures">,
  failure: KnownFailure,
): Promise<{ readonly failure: KnownFailure; readonly eventId: string } | null> {
  const [last] = await failures.decisions(failure.fingerprint, failure.env);
  return last ? { failure, eventId: last.lastEventId } : null;
}

/** `decision` is null when nothing was decided that hadn't been before. */
function conclude({ metrics, relayOutbox }: Omit<OpeningContext, "control">, decision: Decision | null): void {
  if (decision) metrics.incidents.inc({ outcome: decision.outcome, rule: decision.rule });
  relayOutbox();
}
