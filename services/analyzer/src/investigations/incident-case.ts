import {
  type AnnouncedFailure,
  type Collected,
  type Collector,
  collectEvidence,
  type InvestigationPorts,
  type InvestigationSubject,
} from "@whence/engine";
import { type IntegrationKindName, integrationKindName, type Report, reportSchema } from "@whence/protocol";
import type { EvidencePlan, ScopedEvents, StoredEvent, StoredIncident } from "@whence/storage";
import { changeCollector } from "../changes/change-collector.ts";
import { lineHistoryCollector } from "../changes/line-history-collector.ts";
import { withFunctionsSentBefore } from "../collectors/functions-sent-before.ts";
import { telemetryCollectors } from "../collectors/index.ts";
import { withTracedCalls } from "../collectors/traced-calls.ts";
import { analyzerErrors } from "../errors.ts";
import { integrationCollectors } from "../integrations/ask-integrations.ts";
import type { AskedAbout } from "../integrations/question-about.ts";
import { readHistory } from "../learning/organization-history.ts";
import type { ModelContribution } from "../model-run/model-run.ts";
import type { BudgetUsedUp } from "../models/models.ts";
import { watchedEventsOf } from "../place-watches/watched-events.ts";
import { withCode } from "../sources/service-sources.ts";
import { announcedFailure } from "./announced-failure.ts";
import type { InvestigationContext, InvestigationMessage } from "./investigation-context.ts";
import { collectedWithinMs, endedWithinMs } from "./investigation-deadline.ts";
import { announcedMark, evidenceMark } from "./refinement/evidence-mark.ts";
import { looksAhead, withModelLook } from "./refinement/schedule.ts";
import { leastSeverity } from "./refinement/total-failure.ts";

/** An incident and the input of its investigation. */
export interface IncidentCase {
  readonly scopeId: string;
  readonly incident: StoredIncident;
  readonly subject: InvestigationSubject;
  /** Null for a pasted text and for a process that stopped. */
  readonly failing: StoredEvent | null;
}

/** Null when there is no such incident; rejects with `WHENCE_ERR_EVENT_MISSING` when its event is gone. */
export async function readCase(
  { control, events }: InvestigationContext,
  { incident_id: id, scope_id: scopeId }: InvestigationMessage,
): Promise<IncidentCase | null> {
  const { incidents, feedback, releases: reported, placeWatches } = control.scope(scopeId);
  const [incident, input] = [await incidents.find(id), await incidents.input(id)];
  if (!incident || !input) return null;
  const history = await readHistory(feedback);
  const { service, env, fingerprint } = incident;
  const known = { id, service, env, fingerprint };
  const scoped = events.forScope(scopeId);
  if (input.kind !== "event") {
    const whole = await withAnnounced(input, incident, { events: scoped, reported });
    return { scopeId, incident, failing: null, subject: { incident: known, input: whole, history } };
  }
  const sent = await scoped.event(input.eventId);
  if (!sent) throw analyzerErrors.create("WHENCE_ERR_EVENT_MISSING", [input.eventId]);
  const failing = { ...sent, event: await withTracedCalls(scoped, sent) };
  const { event, release, host, instance, receivedAt } = failing;
  // The incident may be named after the failure that caused this one.
  const named = { ...known, service: failing.service, fingerprint: failing.fingerprint };
  const watched = await watchedEventsOf(id, failing, { placeWatches, events: scoped });
  const of = { event, service: failing.service, env: failing.env, release, host, instance, receivedAt };
  return {
    scopeId,
    incident,
    failing,
    subject: { incident: named, input: { kind: "event", ...of, watched, files: [], notRead: [] }, history },
  };
}

/**
 * Investigates with the telemetry that has arrived by now, or with what was gathered when a model was asked: what it
 * said is checked against what it read. Rejects when `stopping` fires.
 */
export async function writeReport(
  context: InvestigationContext,
  found: IncidentCase,
  onStep: InvestigationPorts["onStep"],
  stopping: AbortSignal,
  { said, gathered }: Asked | Repeated = { said: null, gathered: null },
): Promise<Report> {
  const { whole, collecting, investigate } = gathered ?? (await gatherCase(context, found, stopping));
  const collected = async (): Promise<Collected> => withSaid(await collecting, said);
  const subject: InvestigationSubject = said ? { ...whole, readByModel: said.files } : whole;
  return investigate(subject, collected, onStep);
}

/** What a model that was asked said, and of what. */
export interface Asked {
  readonly said: ModelContribution;
  readonly gathered: GatheredCase;
}

/** What a model said before, of what was gathered then. */
export interface Repeated {
  readonly said: ModelContribution | null;
  readonly gathered: null;
}

/** Adds what a model said to what the collectors found. */
export function withSaid({ observations, notChecked }: Collected, said: ModelContribution | null): Collected {
  return {
    observations: [...observations, ...(said?.observations ?? [])],
    notChecked: [...notChecked, ...(said?.notChecked ?? [])],
  };
}

/** An incident with its code and what collectors are asked for, ready to be investigated. */
export interface GatheredCase {
  readonly whole: InvestigationSubject;
  readonly collecting: Promise<Collected>;
  /** Each investigation has the whole time of one. */
  readonly investigate: (
    subject: InvestigationSubject,
    collected: () => Promise<Collected>,
    onStep: InvestigationPorts["onStep"],
  ) => Promise<Report>;
}

/** Reads the code of an incident and asks the collectors about it. */
export async function gatherCase(
  context: InvestigationContext,
  { scopeId, incident, subject, failing }: IncidentCase,
  stopping: AbortSignal,
): Promise<GatheredCase> {
  const { control, events, clock, investigatorsOf, changes, lineHistory } = context;
  const { incidents, feedback, releases: reported } = control.scope(scopeId);
  const scoped = events.forScope(scopeId);
  const connected = await connectedKinds(context, scopeId);
  const within = (): AbortSignal => AbortSignal.any([stopping, AbortSignal.timeout(endedWithinMs)]);
  const known = { ...subject, ...(connected && { connected }) };
  const whole = await withCode(await withFunctions(known, failing, scoped), scopeId, context);
  const collectors = [
    ...telemetryCollectors(scoped, {
      earlier: { incidents, feedback, title: incident.title },
      reported,
      more: (judged) => (changes ? [changeCollector(judged, { scopeId, changes })] : []),
    }),
    ...(await outsideCollectors(context, scopeId, { input: subject.input, title: incident.title })),
    ...(lineHistory ? [lineHistoryCollector(whole, { scopeId, lineHistory })] : []),
  ];
  const investigators = investigatorsOf?.(scopeId, whole.input) ?? (await import("@whence/engine/investigate"));
  // Asked here, next to the database, while the thread reads.
  const collecting = collectEvidence(collectors, whole, within(), collectedWithinMs);
  // Nothing awaits it if the investigation ends first.
  collecting.catch(() => undefined);
  return {
    whole,
    collecting,
    investigate: async (subjectOf, collected, onStep) =>
      checked(await investigators.investigate(subjectOf, { collected, clock, onStep }, within())),
  };
}

/** The report if it fits its schema, so that everything stored can be read. */
function checked(report: Report): Report {
  const { success, error } = reportSchema.safeParse(report);
  if (success) return report;
  const [issue] = error.issues;
  throw analyzerErrors.create("WHENCE_ERR_REPORT_INVALID", [`${issue?.path.join(".")}: ${issue?.message}`]);
}

async function outsideCollectors(
  { control, integrations: asking }: InvestigationContext,
  scopeId: string,
  about: AskedAbout,
): Promise<readonly Collector[]> {
  return asking ? integrationCollectors(control.scope(scopeId), about, asking) : [];
}

/** Adds the details of an announced failure to its text. */
async function withAnnounced(
  input: Exclude<InvestigationSubject["input"], { readonly kind: "event" }>,
  incident: StoredIncident,
  known: Parameters<typeof announcedFailure>[2],
): Promise<InvestigationSubject["input"]> {
  if (input.kind !== "text") return input;
  const about = await announcedFailure(incident, input.errorLog, known);
  return about ? { ...input, about } : input;
}

/** The connected kinds; null where no integration can be queried. */
async function connectedKinds(
  { control, integrations: asking }: InvestigationContext,
  scopeId: string,
): Promise<readonly IntegrationKindName[] | null> {
  if (!asking) return null;
  const listed = await control.scope(scopeId).integrations.list();
  return listed.flatMap(({ kind }) => integrationKindName(kind) ?? []);
}

async function withFunctions(
  subject: InvestigationSubject,
  failing: StoredEvent | null,
  events: ScopedEvents,
): Promise<InvestigationSubject> {
  const { input } = subject;
  if (!failing || input.kind !== "event") return subject;
  return { ...subject, input: { ...input, event: await withFunctionsSentBefore(events, failing) } };
}

/** Raises the incident's severity by what its service has answered since. Call it before the report is stored. */
export async function raiseSeverity(
  { control, events, clock }: InvestigationContext,
  { scopeId, incident: { id }, failing }: IncidentCase,
  attempt: number,
): Promise<void> {
  const least = await leastSeverity(events.forScope(scopeId), failing);
  if (least !== null) await control.scope(scopeId).incidents.raiseSeverity(id, attempt, least, new Date(clock()));
}

/** Identifies the evidence that exists now; empty if the investigation isn't refined any further. */
export async function markOf(
  { control, events, sentSources }: InvestigationContext,
  { scopeId, incident, subject, failing }: IncidentCase,
): Promise<string> {
  const joined = incident.joined_failures?.map(({ fingerprint }) => fingerprint) ?? [];
  const sentFiles = (failing && (await sentSources?.mark({ ...failing, scopeId }))) ?? "";
  const { input } = subject;
  const watched = input.kind === "event" ? (input.watched ?? []).map(({ event }) => event.id) : [];
  const around = { joined, reported: control.scope(scopeId).releases, sentFiles, watched };
  const scoped = events.forScope(scopeId);
  const about = aboutOf(subject);
  if (failing) return evidenceMark(scoped, failing, around);
  return about ? announcedMark(scoped, about, around) : "";
}

/**
 * Returns when to look for evidence again after `seenAt`; an overdue look is due immediately. Null for a text that
 * wasn't announced. `modelWithinMs` is the time limit of a model that hasn't been asked yet.
 */
export function planOf(
  { incident, subject, failing }: IncidentCase,
  mark: string,
  seenAt: number,
  modelWithinMs: number | BudgetUsedUp | null,
): EvidencePlan {
  const receivedAt = failing?.receivedAt ?? (aboutOf(subject) ? incident.created_at : null);
  const looks = receivedAt === null ? { refineAt: null, refinedUntil: null } : looksAhead(receivedAt, seenAt);
  return { mark, ...(typeof modelWithinMs === "number" ? withModelLook(looks, seenAt, modelWithinMs) : looks) };
}

function aboutOf({ input }: InvestigationSubject): AnnouncedFailure | null {
  return (input.kind === "text" && input.about) || null;
}
