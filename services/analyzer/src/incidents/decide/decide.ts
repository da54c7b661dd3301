import {
  type Decision,
  hourMs,
  type IncidentThresholds,
  type InstructedThresholds,
  minuteMs,
  monitoredEnv,
} from "@whence/protocol";
import type {
  Allowance,
  DecidedFailure,
  FailureHistory,
  JoiningFailure,
  KnownFailure,
  NewIncident,
} from "@whence/storage";
import { type FailureGroup, severityRank } from "./failure-group.ts";
import { type OccurrencesOrigin, startOf } from "./incident-origin.ts";
import { isRising, type Opening, openingOf } from "./opening.ts";
import type { Relation } from "./relation.ts";
import { recentEvents, remember } from "./remember.ts";

/** The share of an hour's incidents for any failure; the rest is kept for new and critical ones. */
const ordinaryShare = 0.75;

/**
 * Decides whether occurrences open an incident, join one, or are skipped, with the reason, and how the failure's
 * history changes. Pure, because the transaction may run it again. `otherOpening` is a reason to open that isn't in the
 * failure's history.
 */
export function decide(
  origin: OccurrencesOrigin,
  known: KnownFailure | null,
  thresholds: InstructedThresholds,
  now: Date,
  otherOpening: Opening | null = null,
): DecidedFailure {
  const { group } = origin;
  const { title } = group.worst;
  const history = remember(known, group, thresholds.window_minutes * minuteMs);
  const refused = origin.kind === "process-exit" && origin.skip ? origin.skip : refusal(group, thresholds);
  if (refused) return { title, history, decision: { outcome: "skipped", ...refused } };
  // People decided about its incident: whether that changes is up to its lifecycle.
  if (!otherOpening && known?.incidentState && known.incidentState !== "open")
    return { title, isRising: isRising(history, thresholds), ...joined(known, group, history) };
  const opening = history.deferred
    ? deferredOpening(history.deferred)
    : (openingOf(known, group, history, thresholds) ?? otherOpening);
  if (!opening) return { title, ...joined(known, group, history) };
  const deferred = { ...history, deferred: { rule: opening.rule, reason: opening.reason } };
  const recent = recentEvents(history.window, group.times.at(-1) ?? 0);
  if (recent < thresholds.min_events) {
    return { title, history: deferred, decision: belowThreshold(recent, thresholds) };
  }
  const allowance = allowanceOf(opening, group, thresholds);
  const decision = { outcome: "opened", rule: opening.rule, reason: opening.reason } as const;
  return {
    title,
    decision,
    allowance,
    history: { ...history, deferred: null, openedAt: new Date(group.times.at(-1) ?? now).toISOString() },
    incident: incidentOf(origin, decision, priorityOf(group, history, opening), now),
    otherwise: { decision: budgetSpent(allowance, thresholds), history: deferred },
  };
}

/**
 * Has a failure that was about to open an incident join the related one instead. When that incident follows from this
 * failure, it takes over its name and the trigger that it would have opened with.
 */
export function joinInstead(
  { title, history, incident }: DecidedFailure & { readonly incident: NewIncident },
  relation: Relation,
): JoiningFailure {
  return { title, history, ...joiningAs(incident, relation) };
}

/** How a failure that opened an incident joins another one after all. */
export function joiningOf(group: FailureGroup, relation: Relation): Pick<JoiningFailure, "decision" | "joining"> {
  const { worst, severity } = group;
  return joiningAs(
    { title: worst.title, service: worst.service, severity, ...startOf({ kind: "failure", group }) },
    relation,
  );
}

function joiningAs(
  opened: Pick<NewIncident, "title" | "severity" | "trigger" | "input" | "service" | "heldUntil">,
  { incidentId, anchor, rule, reason, isRoot }: Relation,
): Pick<JoiningFailure, "decision" | "joining"> {
  const { title, severity, trigger, input, service, heldUntil } = opened;
  const text = isRoot ? `that incident's failure was caused by this one in ${service}: ${reason}` : reason;
  const eventId = input.kind === "event" ? input.eventId : null;
  const root = { title, trigger, eventId, heldUntil, formerReason: reason };
  return {
    decision: { outcome: "joined", rule, reason: text },
    joining: { incidentId, anchor, severity, root: isRoot ? root : null },
  };
}

/** Why an organization doesn't want this failure as an incident; null when it does. */
function refusal({ worst }: FailureGroup, thresholds: InstructedThresholds): Pick<Decision, "rule" | "reason"> | null {
  const { env, service, fingerprint } = worst;
  if (env !== monitoredEnv && !thresholds.production_envs?.includes(env)) {
    return {
      rule: "env-not-monitored",
      reason: `its environment is ${env}, and only ${monitoredEnv} is monitored`,
    };
  }
  if (thresholds.muted_fingerprints.includes(fingerprint)) {
    return { rule: "muted-failure", reason: "an owner muted this failure" };
  }
  if (thresholds.muted_services.includes(service)) {
    return { rule: "muted-service", reason: `an owner muted the service ${service}` };
  }
  return null;
}

const openingRules: readonly Opening["rule"][] = [
  "new-failure",
  "regressed-after-quiet",
  "regressed-in-release",
  "spike",
  "no-longer-explained",
];

function deferredOpening({ rule, reason }: NonNullable<FailureHistory["deferred"]>): Opening {
  return { rule: openingRules.find((one) => one === rule) ?? "new-failure", reason };
}

function joined(
  known: KnownFailure | null,
  group: FailureGroup,
  history: FailureHistory,
): { history: FailureHistory; decision: Decision & { outcome: "joined" }; priority?: number } {
  const reason = `this failure already has an incident: ${known?.incidentId}`;
  const decision = { outcome: "joined", rule: "known-failure", reason } as const;
  return known?.incidentStatus === "queued"
    ? { history, decision, priority: priorityOf(group, history, null) }
    : { history, decision };
}

function belowThreshold(recent: number, thresholds: IncidentThresholds): Decision & { outcome: "skipped" } {
  const { min_events: needed, window_minutes: minutes } = thresholds;
  const reason = `it occurred ${recent} of the ${needed} times within ${minutes} minutes that open an incident`;
  return { outcome: "skipped", rule: "below-threshold", reason };
}

function allowanceOf(
  { rule }: Opening,
  { severity }: FailureGroup,
  { incidents_per_hour: max }: IncidentThresholds,
): Allowance {
  const isKeptFor = rule === "new-failure" || severity === "critical";
  return { max: isKeptFor ? max : Math.max(1, Math.floor(max * ordinaryShare)), spanMs: hourMs };
}

function budgetSpent(
  { max }: Allowance,
  { incidents_per_hour: all }: IncidentThresholds,
): Decision & { outcome: "skipped" } {
  const kept = max < all ? ` (the other ${all - max} are kept for new and critical failures)` : "";
  const reason = `this hour's limit of ${max === 1 ? "1 incident" : `${max} incidents`} from telemetry is reached${kept}; it opens one if it still occurs later`;
  return { outcome: "skipped", rule: "budget-spent", reason };
}

const perSeverity = 1_000;
const rateSteps = 30;
const rateMax = 498;

/** Orders the investigations of an organization: by severity, then by rate, then new failures first. */
function priorityOf(group: FailureGroup, { window }: FailureHistory, opening: Opening | null): number {
  const rate = Math.min(rateMax, Math.round(rateSteps * Math.log2(1 + recentEvents(window, group.times.at(-1) ?? 0))));
  return severityRank(group.severity) * perSeverity + 2 * rate + (opening?.rule === "new-failure" ? 1 : 0);
}

function incidentOf(
  origin: OccurrencesOrigin,
  decision: NewIncident["decision"],
  priority: number,
  now: Date,
): NewIncident {
  const { worst, severity } = origin.group;
  const { title, service, env, fingerprint } = worst;
  return { title, severity, service, env, fingerprint, decision, priority, now, ...startOf(origin) };
}
