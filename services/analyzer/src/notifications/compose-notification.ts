import { type Notification, type NotificationRule, returnText } from "@whence/protocol";
import type { ControlDb, HeldBack, StoredIncident, TakenDelivery } from "@whence/storage";
import { oneLine } from "@whence/vendors";
import { incidentUrl } from "../incidents/incident-url.ts";

/** Characters of titles and of prose in a message. */
const titleLengthMax = 200;
const proseLengthMax = 1_000;
/** Incidents that a summary names. */
export const summarizedMax = 20;

type IncidentPart = NonNullable<Notification["incident"]>;

/** Composes the message of a delivery from the current state; null when its incident has been deleted. */
export async function composeNotification(
  control: Pick<ControlDb, "scope">,
  appUrl: string,
  rule: NotificationRule,
  taken: TakenDelivery,
): Promise<Notification | null> {
  const { incidents, notifications } = control.scope(taken.scopeId);
  const incident = taken.incidentId === null ? null : await incidents.find(taken.incidentId);
  if (taken.incidentId !== null && !incident) return null;
  const heldBack = taken.type === "summary" ? await notifications.heldBack(taken, summarizedMax) : null;
  return {
    id: taken.id,
    type: taken.type,
    created_at: taken.createdAt,
    rule: { id: rule.id, name: rule.name, url: `${appUrl}/settings/notifications` },
    incident: incident ? incidentPart(incident, appUrl) : null,
    held_back: heldBack ? heldBackPart(heldBack, appUrl) : null,
    held_back_until: taken.heldBackUntil,
  };
}

function incidentPart(incident: StoredIncident, appUrl: string): IncidentPart {
  const { report, decision, failure } = incident;
  return {
    ...briefPart(incident, appUrl),
    status: incident.status,
    trigger: incident.trigger.kind,
    opened_at: incident.created_at,
    decision: oneLine(returnText(incident.lifecycle) ?? decision.reason, proseLengthMax),
    since: report?.impact.first_seen ?? incident.created_at,
    failure: failure ? { code: failure.code, message: oneLine(failure.message, proseLengthMax) } : null,
    ...reportPart(report),
  };
}

function reportPart(
  report: StoredIncident["report"],
): Pick<IncidentPart, "root_cause" | "origin" | "confidence" | "first_solution"> {
  if (!report) return { root_cause: null, origin: null, confidence: null, first_solution: null };
  const { root_cause: cause, chain, confidence, short_term_solutions: solutions } = report;
  const [first] = solutions;
  const [origin] = chain;
  return {
    root_cause: {
      category: cause.category,
      location: cause.location,
      summary: oneLine(report.root_cause_summary, proseLengthMax),
    },
    origin: origin ? { what: oneLine(origin.what, proseLengthMax), service: origin.service ?? null } : null,
    confidence: { score: confidence.score, basis: oneLine(confidence.basis, proseLengthMax) },
    first_solution: first
      ? { title: oneLine(first.title, titleLengthMax), detail: oneLine(first.detail, proseLengthMax) }
      : null,
  };
}

function briefPart({ id, title, severity, service, env }: HeldBack["first"][number], appUrl: string) {
  const url = incidentUrl(appUrl, id);
  return { id, title: oneLine(title, titleLengthMax), severity, service, env, url };
}

function heldBackPart({ count, first }: HeldBack, appUrl: string): NonNullable<Notification["held_back"]> {
  return { incidents: count, first: first.map((incident) => briefPart(incident, appUrl)) };
}
