import { type NotificationRule, type NotificationType, severities } from "@whence/protocol";
import type { NotificationOccasion, StoredIncident } from "@whence/storage";

/** The decision rules by which a failure that is back opens another incident. */
const returningRules: readonly string[] = ["regressed-after-quiet", "regressed-in-release"];

/** The notification a rule sends for an occasion, at most one; null when it sends none. */
export function matchRule(
  rule: NotificationRule,
  incident: StoredIncident,
  kind: NotificationOccasion["kind"],
): NotificationType | null {
  if (!rule.enabled || !isWanted(rule, incident)) return null;
  const isReturn = kind === "opened" && returningRules.includes(incident.decision.rule);
  if (isReturn && rule.events.includes("returned")) return "returned";
  // A rule for reports also covers a report that names another cause.
  return rule.events.includes(kind === "corrected" ? "completed" : kind) ? kind : null;
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
