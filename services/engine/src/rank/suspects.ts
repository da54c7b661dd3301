import type { Category } from "@whence/protocol";
import { isUnchanged, type TellingChange } from "../changes/telling-changes.ts";
import { answersAt, hasFailedCallsTo } from "../findings/called-services.ts";
import type { Observation, OutgoingCall } from "../findings/findings.ts";
import type { DeployFact, Fact } from "../findings/telemetry-facts.ts";
import { comesAfter, timeErrorMs } from "../findings/time-order.ts";
import type { FailureContext } from "../outside/failure-context.ts";
import type { ValueSource } from "../signals/code/value-sources.ts";
import { isWellAnswered } from "../signals/read-answers.ts";
import { recentCalls, troubledCalls } from "../signals/related-calls.ts";
import type { Subject } from "../signals/subject.ts";
import type { CategoryEvidence } from "./failure-category.ts";
import { strongestOfEachKind, weightOf } from "./independent-reasons.ts";
import { type OutsideReason, outsideReasons } from "./outside-reasons.ts";
import { suspectedHosts } from "./outside-suspects.ts";
import { telemetryWeights as worth } from "./telemetry-weights.ts";

/** A service, release or dependency that telemetry speaks against. */
export interface Suspect {
  readonly subject: Subject;
  /** Null when no service is known to answer there. */
  readonly service: string | null;
  readonly category: Category;
  readonly weight: number;
  /** The strongest of each kind first. */
  readonly observations: readonly Observation[];
}

/** What telemetry says, beside what the error and the code say. */
export interface TelemetryEvidence extends CategoryEvidence {
  /** The failing service. */
  readonly own: string;
  /** What releases changed that bears on the failure. */
  readonly changes?: readonly TellingChange[];
  readonly observations: readonly Observation[];
  readonly context: FailureContext;
}

interface Reason {
  readonly service: string;
  readonly release: string | null;
  readonly weight: number;
  /** Null when the reason says nothing about the kind of failure. */
  readonly category: Category | null;
  readonly observation: Observation;
}

/** A difference less probable than this by chance is a rule. */
const chanceMax = 0.01;
const tooManyRequests = 429;
const tellingSeverity = 0.6;

/** Kinds of failure that an answer of another shape leads to. */
const shapeCategories: ReadonlySet<Category> = new Set([
  ...(["null-dereference", "type-mismatch", "schema-drift", "parse-error", "data-validation"] as const),
  ...(["upstream-bad-response", "encoding", "boundary"] as const),
]);
const stateCategories = {
  memory: "resource-exhaustion",
  "event-loop": "infinite-loop",
  exit: "dependency-outage",
  restart: null,
} as const;

/** One suspect for each service that telemetry speaks against, and one for a call that failed or can't be read. */
export function findSuspects(evidence: TelemetryEvidence): Suspect[] {
  const outside = outsideReasons(evidence);
  const reasons = [
    ...evidence.observations.flatMap((observation) => reasonsOf(observation, evidence)),
    ...outside.flatMap((reason) => ofService(reason, evidence)),
  ];
  const services = [...Map.groupBy(reasons, ({ service }) => service)].map(([service, against]) =>
    suspectOf(service, against, evidence),
  );
  return suspectedHosts(calledSuspect(evidence), outside).reduce<Suspect[]>(
    (suspects, called) => withCalled(suspects, called, evidence),
    services,
  );
}

/** What a third party says of a service, as a reason beside those of telemetry. */
function ofService({ place, ...reason }: OutsideReason, { own }: TelemetryEvidence): Reason[] {
  const service = place === "own" ? own : place.service;
  return service === null ? [] : [{ ...reason, service, release: null }];
}

/** A called service and its host are one suspect. */
function withCalled(
  services: readonly Suspect[],
  called: Suspect,
  { own, observations }: TelemetryEvidence,
): Suspect[] {
  const host = called.subject.kind === "dependency" ? called.subject.name : "";
  const found = services.find(
    ({ service }) => service !== null && service !== own && answersAt(service, host, observations),
  );
  if (!found) return [...services, called];
  const joined: Suspect = {
    ...found,
    category: isSilent(found) ? called.category : found.category,
    weight: Math.max(found.weight, called.weight),
    observations: [...new Set([...found.observations, ...called.observations])],
  };
  return services.map((one) => (one === found ? joined : one));
}

/** Whether nothing that speaks against a service says what kind of failure it is. */
function isSilent({ category, observations }: Suspect): boolean {
  return (
    category === "dependency-outage" &&
    observations.every(({ fact }) => fact.kind === "failing-calls" || fact.kind === "related-failure")
  );
}

type FactOf<Kind extends Fact["kind"]> = Extract<Fact, { kind: Kind }>;

function reasonsOf(observation: Observation, evidence: TelemetryEvidence): Reason[] {
  const { fact } = observation;
  const reason = (
    service: string,
    weight: number,
    category: Category | null = null,
    release: string | null = null,
  ): Reason[] => (weight > 0 ? [{ service, release, weight, category, observation }] : []);
  switch (fact.kind) {
    case "related-failure": {
      const { service, role, category } = fact.failure;
      // A caller's own error follows from this one, and says nothing about the kind.
      return reason(
        service,
        relatedFailureWeight(fact.failure, evidence),
        role === "caller" ? evidence.said : category,
      );
    }
    case "failing-calls":
      return fact.calls.service === null || fact.calls.service === evidence.own
        ? []
        : reason(fact.calls.service, callsWeight(fact.calls));
    case "deploy": {
      const { weight, category } = deployWeight(fact.deploy, evidence);
      return reason(fact.deploy.service, weight, category, fact.deploy.release);
    }
    case "process-state":
      return reason(fact.state.service, stateWeight(fact.state, evidence), stateCategory(fact.state));
    case "concentration":
      return ["host", "instance", "runtime"].includes(fact.concentration.dimension)
        ? reason(evidence.own, worth.oneHost)
        : [];
    default:
      return [];
  }
}

function relatedFailureWeight(
  { service, link, role, traces, wasThere }: FactOf<"related-failure">["failure"],
  evidence: TelemetryEvidence,
): number {
  if (link === "time") {
    if (evidence.event === null) return announcedWeight({ service, role, wasThere }, evidence);
    // To fail at the same time is no reason on its own.
    if (!hasFailedCallsTo(service, evidence)) return 0;
    return wasThere ? worth.thereBefore : worth.calledAtTheTime;
  }
  // A failure in few of the traces doesn't explain the others.
  const share = traces.of > 1 ? Math.min(1, (2 * traces.with) / traces.of) : 1;
  return worth[role] * share;
}

/** Of failures at the time of an announced one, whose own error isn't known: those of the service, and of what it calls. */
function announcedWeight(
  { service, role, wasThere }: Pick<FactOf<"related-failure">["failure"], "service" | "role" | "wasThere">,
  { own }: TelemetryEvidence,
): number {
  if (wasThere) return worth.thereBefore;
  if (service === own) return worth.ownFailureThen;
  return role === "deepest" ? worth.calledFailureThen : 0;
}

function callsWeight({ events, of, others, chance }: FactOf<"failing-calls">["calls"]): number {
  return chance <= chanceMax || (others === 0 && events === of) ? worth.callsAlwaysFailed : worth.callsFailed;
}

interface Weighed {
  readonly weight: number;
  readonly category: Category | null;
}

const nothing: Weighed = { weight: 0, category: null };

function deployWeight(deploy: FactOf<"deploy">["deploy"], evidence: TelemetryEvidence): Weighed {
  const { service, verdict, own, upstream } = deploy;
  if (verdict === "ruled-out") return nothing;
  const changed = own ? null : changedName(deploy, evidence);
  if (changed === "gone") return { weight: worth.changedAnswer, category: changedAnswer(evidence) };
  if (upstream) return upstreamWeight(upstream, evidence);
  const category = own || isFailing(service, evidence) ? "deploy-regression" : changedAnswer(evidence);
  if (own) return { weight: verdict === "suspect" ? worth.suspectRelease : worth.nearRelease, category };
  const asked = askedWeight(deploy, evidence);
  // The changes of a service that fails itself bear on its own failure, which isn't followed here.
  const isElsewhere = !isFailing(service, evidence) && (isUnchanged(deploy, evidence) || hasOwnChange(evidence));
  if (isElsewhere) return { weight: worth.unchangedAnswer * asked, category: null };
  return { weight: changed === "remade" ? Math.max(asked, worth.changedValue) : asked, category };
}

/** What another service's release did to what this service's code didn't find, or found to be wrong. */
function changedName(
  { service, release }: DeployFact,
  { changes = [], said, signals }: TelemetryEvidence,
): "gone" | "remade" | null {
  const isAboutShape = shapeCategories.has(said) || signals.some(({ kind }) => kind === "deliberate-throw");
  const [first] = changes.flatMap(({ told, deploy }) =>
    told.kind === "name" && deploy.service === service && deploy.release === release ? [told] : [],
  );
  if (!first || !isAboutShape) return null;
  return first.change === "changed" ? "remade" : "gone";
}

/** Whether the service's own release changed a line that the failure passes, or what its code doesn't find. */
function hasOwnChange({ changes = [] }: TelemetryEvidence): boolean {
  return changes.some(({ told, deploy }) => deploy.own && (told.kind === "line" || told.kind === "name"));
}

/** A release of the service that asked, or of one whose answer was handed on, when what came from there was refused. */
function upstreamWeight(upstream: "caller" | "source", evidence: TelemetryEvidence): Weighed {
  if (hasOwnRelease(evidence)) return nothing;
  if (upstream === "caller" && troubledCalls(evidence.event).some(({ data }) => data.status_code === tooManyRequests))
    return { weight: worth.nearReleaseOfTooManyRequests, category: "deploy-regression" };
  if (!isInputRefused(evidence)) return nothing;
  return upstream === "caller"
    ? { weight: worth.nearReleaseOfAsker, category: null }
    : { weight: worth.nearReleaseOfSource, category: "schema-drift" };
}

/** A release of a service that was asked says little unless it fails since, or its answer is what can't be read. */
function askedWeight({ service, answeredLast }: FactOf<"deploy">["deploy"], evidence: TelemetryEvidence): number {
  if (isFailing(service, evidence)) return worth.nearReleaseOfSuspect;
  if (hasStep(evidence, "outside-answer") || hasStep(evidence, "answer-field")) return worth.nearReleaseOfAnswer;
  if (!shapeCategories.has(evidence.said)) return 0;
  if (hasOwnRelease(evidence)) return worth.nearReleaseBesideOwn;
  const isAwaited = evidence.signals.some(
    (signal) => signal.kind === "value-step" && signal.args.how === "awaited-call" && signal.isEnd,
  );
  if (!isAwaited) return worth.nearReleaseOfAsked;
  return answeredLast ? worth.nearReleaseOfLastAnswer : worth.nearReleaseOfEarlierAnswer;
}

function hasStep({ signals }: CategoryEvidence, how: ValueSource): boolean {
  return signals.some((signal) => signal.kind === "value-step" && signal.args.how === how);
}

function hasOwnRelease({ observations }: TelemetryEvidence): boolean {
  return observations.some(
    ({ fact }) => fact.kind === "deploy" && fact.deploy.own && fact.deploy.verdict !== "ruled-out",
  );
}

/** Whether the service refused what it was given, and not what it had asked for. */
function isInputRefused(evidence: TelemetryEvidence): boolean {
  if (troubledCalls(evidence.event).length > 0 || evidence.event?.request === undefined) return false;
  if (evidence.said === "unknown") return evidence.signals.some(({ kind }) => kind === "deliberate-throw");
  return shapeCategories.has(evidence.said);
}

/** After a release whose answer is no longer understood, its shape has changed, unless the error says more. */
function changedAnswer({ said }: CategoryEvidence): Category {
  return ["parse-error", "encoding", "upstream-bad-response"].includes(said) ? said : "schema-drift";
}

function stateWeight(state: FactOf<"process-state">["state"], evidence: TelemetryEvidence): number {
  const { service, resource, own, severity } = state;
  if (state.resource === "restart" && isAfterFailure(state.at, evidence)) return 0;
  // The state of an own process matters when the error is of that kind, or isn't known; another's, when calls to it failed.
  // Restarts, and old processes without a last word, mostly come with a release, which counts on its own.
  const isAnySaid = evidence.context.isAnnounced && (resource === "memory" || resource === "event-loop");
  const isOfKind = isAnySaid || severity === 1 || stateCategories[resource] === evidence.said;
  const fits = own ? isOfKind : isFailing(service, evidence);
  return worth.unwellProcess * severity * (fits ? 1 : worth.unrelated);
}

/** Whether a process that began then can't have led to the failure. */
function isAfterFailure(startedAt: string, { context: { firstAt, firstErrorMs } }: TelemetryEvidence): boolean {
  const start = { at: Date.parse(startedAt), errorMs: timeErrorMs.start };
  return comesAfter(start, { at: firstAt, errorMs: firstErrorMs });
}

function stateCategory({ resource, severity }: FactOf<"process-state">["state"]): Category | null {
  return severity >= tellingSeverity ? stateCategories[resource] : null;
}

/** Whether calls to the service failed, or it failed where the calls lead. */
function isFailing(service: string, { observations }: TelemetryEvidence): boolean {
  return observations.some(
    ({ fact }) =>
      (fact.kind === "failing-calls" && fact.calls.service === service) ||
      (fact.kind === "related-failure" &&
        fact.failure.service === service &&
        (fact.failure.role === "deepest" || fact.failure.role === "between")),
  );
}

function suspectOf(service: string, reasons: readonly Reason[], evidence: TelemetryEvidence): Suspect {
  const sorted = strongestOfEachKind(reasons);
  const category = sorted.find((reason) => reason.category !== null)?.category;
  const release = sorted.find((reason) => reason.release !== null);
  const isRelease = release !== undefined && release.weight >= worth.nearRelease;
  const isOwn = service === evidence.own;
  return {
    subject: isRelease ? { kind: "release", service, release: release.release ?? "" } : { kind: "service", service },
    service,
    category: category ?? (isOwn ? evidence.said : "dependency-outage"),
    weight: weightOf(reasons),
    observations: sorted.map(({ observation }) => observation),
  };
}

/** A failed call says little when the failing value was read from what another call answered well. */
function failureWeight(call: OutgoingCall, { signals, event }: TelemetryEvidence): number {
  const isOfAnother = signals.some((signal) => isWellAnswered(signal, event));
  return (isRefusal(call) ? worth.refusedCall : worth.failedCall) * (isOfAnother ? worth.unrelated : 1);
}

function answerWeight({ trouble }: OutgoingCall): number {
  return trouble === null ? worth.unreadableAnswer : worth.refusedAnswer;
}

/** Whether the answer says that the request was wrong. */
function isRefusal({ data }: OutgoingCall): boolean {
  const status = data.status_code ?? 0;
  return status >= 400 && status < 500;
}

/** The last call that failed before the error, or the last answer when that is what can't be read. */
function calledSuspect(evidence: TelemetryEvidence): Suspect | null {
  const { event, observations, said } = evidence;
  const isAboutAnswer = said === "upstream-bad-response" || said === "parse-error";
  const call = troubledCalls(event)[0] ?? (isAboutAnswer ? recentCalls(event)[0] : undefined);
  if (!call) return null;
  const answering = observations.flatMap(({ fact }) =>
    fact.kind === "failing-calls" && fact.calls.host === call.host && fact.calls.service !== null
      ? [fact.calls.service]
      : [],
  )[0];
  const weight = isAboutAnswer ? answerWeight(call) : failureWeight(call, evidence);
  const isUnanswered = call.data.status_code === undefined && call.trouble !== null;
  const isSaid = ["network-unreachable", "timeout", "auth"].includes(said);
  return {
    subject: { kind: "dependency", name: call.host },
    service: answering ?? null,
    category: isSaid ? said : isUnanswered ? "dependency-outage" : "upstream-bad-response",
    weight,
    observations: observations.filter(({ fact }) => fact.kind === "failing-calls" && fact.calls.host === call.host),
  };
}
