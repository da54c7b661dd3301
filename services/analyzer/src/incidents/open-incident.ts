import { type Decision, hourMs, runbookUrls } from "@whence/protocol";
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
import { linkFrom } from "@whence/vendors";
import { incidentFromText } from "../analysis/from-text.ts";
import type { AnalyzerMetrics } from "../metrics.ts";
import { alertedFailure } from "../triggers/alerted-failure.ts";
import { type AlertOrigin, incidentFromAlert, nameOf } from "../triggers/incident-from-alert.ts";
import { triggerLimits } from "../triggers/trigger-limits.ts";
import type { DecisionSources } from "./correlate/group-to-decide.ts";
import { type AnalysisOrigin, type SplitOffOrigin, startOf } from "./decide/incident-origin.ts";
import { headOf, incidentFromConversation } from "./incident-from-conversation.ts";
import { type ConversationOrigin, failuresOfDiscussion, linkedIncident } from "./incident-of-discussion.ts";
import { OccurrencesDecider, type OccurrencesToDecide, type TakenDecision } from "./occurrences-decider.ts";

/** What opening an incident takes. `Control` is the part of the control database that it reads and writes. */
export interface OpeningContext<Control = ControlDb> {
  readonly control: Control;
  readonly clock: () => number;
  readonly metrics: Pick<AnalyzerMetrics, "incidents">;
  /** Publishes the request for the investigation, which is stored together with the incident. */
  readonly relayOutbox: () => void;
}

/**
 * Opens an incident for occurrences seen in telemetry, adds them to one, or skips them. Deciding twice about the same
 * occurrences changes nothing.
 */
export async function openForOccurrences(
  context: OpeningContext<Scoped<FailureScope>> & DecisionSources,
  toDecide: OccurrencesToDecide,
): Promise<TakenDecision> {
  const taken = await new OccurrencesDecider(context, toDecide).decide();
  conclude(context, taken.isNew ? taken.decision : null);
  return taken;
}

/** Opens an incident for a failure taken out of another incident. Null when it wasn't part of one. */
export async function openForSplitOff(
  context: OpeningContext<Scoped<FailureScope>>,
  scopeId: string,
  origin: SplitOffOrigin,
): Promise<StoredIncident | null> {
  const { incidentId, fingerprint, by } = origin;
  const split = await context.control.scope(scopeId).failures.splitOff({
    incidentId,
    fingerprint,
    by,
    trigger: startOf(origin).trigger,
    now: new Date(context.clock()),
    decision: { outcome: "opened", rule: "split-off", reason: `${by.name} split it off incident ${incidentId}` },
  });
  conclude(context, split?.decision ?? null);
  return split;
}

/** Opens an incident for a text, unless its sender has used up their allowance. */
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

/** The repositories that an alert is looked up in and written to. */
export type AlertingScope = IncidentScope & FailureScope & AlertScope;

/**
 * Opens an incident for an alert. If telemetry already opened one for the failure, the alert belongs to that one. False
 * when the alert was known.
 */
export async function openForAlert(
  context: OpeningContext<Scoped<AlertingScope>>,
  scopeId: string,
  origin: AlertOrigin,
): Promise<boolean> {
  const scope = context.control.scope(scopeId);
  const failure = await alertedFailure(scope.failures, origin.alert);
  return isNew(await openOrJoin(context, scope, origin, { failure, joins: failure?.incidentId ?? null }));
}

/**
 * Opens an incident for the alert of a monitor. If telemetry already opened one for the failure, or `before` is the open
 * incident of an alert of the monitor that ended shortly before, the alert belongs to that one.
 */
export async function openForMonitor(
  context: OpeningContext<Scoped<AlertingScope>>,
  scopeId: string,
  origin: AlertOrigin,
  before: string | null,
): Promise<OpenedAlert> {
  const scope = context.control.scope(scopeId);
  const earlier = before === null ? null : await scope.incidents.find(before);
  if (earlier && earlier.lifecycle.state === "open") {
    return openOrJoin(context, scope, origin, { failure: null, joins: earlier.id });
  }
  const failure = await alertedFailure(scope.failures, origin.alert);
  return openOrJoin(context, scope, origin, { failure, joins: failure?.incidentId ?? null });
}

/**
 * Opens an incident for failures that a deployment made more frequent. If the failure already has an incident opened
 * since, the alert belongs to that one. False when the alert was known.
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
  return isNew(await openOrJoin(context, scope, origin, { failure, joins: isSince ? known.id : null }));
}

/** What became of an alert. `withheld`: its source has opened as many incidents as it may. */
export type OpenedAlert = "opened" | "joined" | "known" | "withheld";

function isNew(opened: OpenedAlert): boolean {
  return opened === "opened" || opened === "joined";
}

interface AlertedFailure {
  readonly failure: KnownFailure | null;
  /** The incident that the alert belongs to; null when a new one opens. */
  readonly joins: string | null;
}

async function openOrJoin(
  context: Omit<OpeningContext, "control">,
  scope: AlertingScope,
  origin: AlertOrigin,
  { failure, joins }: AlertedFailure,
): Promise<OpenedAlert> {
  const { metrics, clock } = context;
  const { title, url, text, severity, at: firedAt } = origin.alert;
  const { alertForgottenAfterMs: forgottenAfterMs } = triggerLimits;
  const allowance = await sourceAllowance(scope);
  const now = new Date(clock());
  const { isOfMonitor = false } = origin;
  const about = { title, url, severity, runbookUrl: linkFrom(runbookUrls(text)[0]), firedAt };
  const named = { ...nameOf(origin), ...about, now, forgottenAfterMs, allowance, isOfMonitor };
  if (joins !== null) {
    if ((await scope.alerts.open(named, { id: joins })) === null) return "known";
    metrics.incidents.inc({ outcome: "joined", rule: "alert" });
    return "joined";
  }
  const event = failure && (await lastEventOf(scope, failure));
  const opened = await scope.alerts.open(named, await incidentFromAlert(origin, event, now));
  if (opened === "withheld") metrics.incidents.inc({ outcome: "skipped", rule: "source-budget-spent" });
  const isOpened = opened !== null && opened !== "noted" && opened !== "withheld";
  conclude(context, isOpened ? opened.decision : null);
  if (opened === "withheld") return opened;
  return isOpened ? "opened" : "known";
}

/** What a conversation is about. */
export interface ConversationSubject {
  /** The failure that it is most likely about; null for one that isn't known, and for a linked incident. */
  readonly failure: KnownFailure | null;
  /** Failures that it may be about as well, one for each of their other incidents. */
  readonly others: readonly KnownFailure[];
}

/**
 * Opens an incident for a conversation, unless it is about an existing one: an incident it links to, or the one of a
 * failure in telemetry that it quotes, or that occurred then in a service it names. Doing it again changes nothing.
 */
export async function openForConversation(
  context: OpeningContext<Scoped<IncidentScope & FailureScope & ConversationScope>> & { readonly appUrl: string },
  origin: ConversationOrigin,
  sender: AlertOrigin["sender"],
): Promise<ConversationSubject> {
  const { control, clock, metrics, appUrl } = context;
  const { id, scopeId } = origin.conversation;
  const scope = control.scope(scopeId);
  const now = new Date(clock());
  const linked = await linkedIncident(scope, origin, appUrl);
  const [failure = null, ...rest] = linked === null ? await failuresOfDiscussion(scope, origin) : [];
  const known = linked ?? failure?.incidentId ?? null;
  const others = rest.filter(
    ({ incidentId }, index) =>
      incidentId !== null && incidentId !== known && rest.findIndex((one) => one.incidentId === incidentId) === index,
  );
  if (known !== null) {
    const isNew = (await scope.conversations.open(id, headOf(origin), { id: known }, now)) !== null;
    if (isNew) metrics.incidents.inc({ outcome: "joined", rule: "conversation" });
    return { failure, others };
  }
  const about = failure && (await lastEventOf(scope, failure));
  const incident = await incidentFromConversation(origin, sender, about, now);
  const allowance = await sourceAllowance(scope);
  const opened = await scope.conversations.open(id, headOf(origin), { opening: incident, allowance }, now);
  conclude(context, opened === null || opened === "joined" ? null : opened.decision);
  return { failure, others };
}

/** The number of incidents that one source may open. */
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

/** Counts and publishes a decision; `decision` is null when all of it was decided before. */
function conclude({ metrics, relayOutbox }: Omit<OpeningContext, "control">, decision: Decision | null): void {
  if (decision) metrics.incidents.inc({ outcome: decision.outcome, rule: decision.rule });
  relayOutbox();
}
