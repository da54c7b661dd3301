import {
  isQuiet,
  lifecycleAt,
  type NotificationChannel,
  type NotificationRule,
  type NotificationType,
  notificationChannels,
  severities,
} from "@whence/protocol";
import type { NotificationOccasion, StoredIncident } from "@whence/storage";

/** The decision rules by which a failure that is back opens another incident. */
const returningRules: readonly string[] = ["regressed-after-quiet", "regressed-in-release"];

/** Channels in which a message can't be updated: an incident has one there, so it waits for the cause. */
const waitForReport: readonly NotificationChannel[] = ["slack", "teams"];
const others = notificationChannels.filter((channel) => !waitForReport.includes(channel));

/** What a rule sends for an occasion, and the channels that it leaves out. */
export interface RuleMatch {
  readonly type: NotificationType;
  readonly without: readonly NotificationChannel[];
}

/** Returns the notification that a rule sends for an occasion; null when it sends none. */
export function matchRule(
  rule: NotificationRule,
  incident: StoredIncident,
  kind: NotificationOccasion["kind"],
  now: Date,
): RuleMatch | null {
  if (!rule.enabled) return null;
  // An incident that the rule announced is resolved there too, whatever the rule matches now.
  if (kind === "resolved") return { type: kind, without: [] };
  if (!isWanted(rule, incident)) return null;
  if (kind === "returned") return matchReturn(rule, incident);
  if (isQuiet(lifecycleAt(incident.lifecycle, now))) return null;
  if (kind === "opened") return matchOpening(rule, incident);
  if (kind === "failed") return matchFailure(rule, incident);
  const { min_confidence: least } = rule;
  const isReached = least === 0 || (incident.report?.confidence.score ?? 0) >= least;
  // A rule for reports also covers a report that names another cause, and announces here the incident that waited for
  // its confidence.
  const isReported = rule.events.includes("completed") || (least > 0 && announcedOpening(rule, incident) !== null);
  return isReached && isReported ? { type: kind, without: [] } : null;
}

/** An incident that is open again, for a rule that announces incidents, their reports, or returns. */
function matchReturn(rule: NotificationRule, { report }: StoredIncident): RuleMatch | null {
  const isWanted = rule.events.some((event) => event !== "failed");
  return isWanted && (report?.confidence.score ?? 0) >= rule.min_confidence ? { type: "returned", without: [] } : null;
}

/** Sends nothing yet for a rule that asks for a confidence. */
function matchOpening(rule: NotificationRule, incident: StoredIncident): RuleMatch | null {
  const type = rule.min_confidence > 0 ? null : announcedOpening(rule, incident);
  return type === null ? null : { type, without: rule.events.includes("completed") ? waitForReport : [] };
}

/** A failure stands in for the report that some channels waited for. */
function matchFailure(rule: NotificationRule, incident: StoredIncident): RuleMatch | null {
  if (rule.events.includes("failed")) return { type: "failed", without: [] };
  const opening = matchOpening(rule, incident);
  return opening && opening.without.length > 0 ? { type: "failed", without: others } : null;
}

function announcedOpening({ events }: NotificationRule, { decision }: StoredIncident): "opened" | "returned" | null {
  if (returningRules.includes(decision.rule) && events.includes("returned")) return "returned";
  return events.includes("opened") ? "opened" : null;
}

function isWanted(
  { min_severity: least, services, envs, triggers }: NotificationRule,
  { severity, service, env, trigger }: StoredIncident,
): boolean {
  return (
    severities.indexOf(severity) >= severities.indexOf(least) &&
    isAmong(services, service) &&
    isAmong(envs, env) &&
    isAmong(triggers, trigger.kind)
  );
}

/** An empty list allows any value. */
function isAmong(wanted: readonly string[], value: string | null): boolean {
  return wanted.length === 0 || (value !== null && wanted.includes(value));
}
