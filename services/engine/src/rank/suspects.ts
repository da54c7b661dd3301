import type { Category } from "@whence/protocol";
import { isUnchanged, type TellingChange } from "../changes/telling-changes.ts";
import { answersAt, hasFailedCallsTo } from "../findings/called-services.ts";
import type { Observation } from "../findings/observation.ts";
import { ofKind } from "../findings/of-kind.ts";
import type { FailureContext } from "../outside/failure-context.ts";
import { type FactWeight, reasonOf } from "../signals/fact.ts";
import { isOfProcesses } from "../signals/facts/concentration.ts";
import { callerFactor } from "../signals/facts/failing-calls.ts";
import type { ChangesView, FailureView } from "../signals/facts/failure-view.ts";
import type { OutgoingCall } from "../signals/inputs/call.ts";
import { isWellAnswered } from "../signals/read-answers.ts";
import { recentCalls, troubledCalls } from "../signals/related-calls.ts";
import { comesAfter } from "../signals/time-order.ts";
import type { CategoryEvidence } from "./failure-category.ts";
import { sourceOf, strongestOfEachKind, weightOf } from "./independent-reasons.ts";
import { type OutsideReason, outsideReasons } from "./outside-reasons.ts";
import { suspectedHosts } from "./outside-suspects.ts";
import type { ServiceWeights } from "./service-model.ts";
import { callSource, type Suspect } from "./suspect.ts";

/** The evidence from telemetry, in addition to that of the error and the code. */
export interface TelemetryEvidence extends CategoryEvidence {
  /** The failing service. */
  readonly own: string;
  /** The changes of releases that bear on the failure. */
  readonly changes?: readonly TellingChange[];
  readonly observations: readonly Observation[];
  readonly context: FailureContext;
}

interface Reason {
  readonly service: string;
  readonly release: string | null;
  readonly weight: number;
  /** Null when the reason doesn't suggest a category. */
  readonly category: Category | null;
  readonly observation: Observation;
}

/**
 * Returns one suspect for each service that telemetry makes suspect, and one for a call that failed or whose response
 * can't be read.
 */
export function findSuspects(evidence: TelemetryEvidence, weights: ServiceWeights): Suspect[] {
  const outside = outsideReasons(evidence, weights.outside);
  const view = viewOf(evidence, weights);
  const found = [
    ...evidence.observations.flatMap((observation) => {
      const reason = reasonOf(observation.fact, view);
      return reason ? [{ release: null, ...reason, observation }] : [];
    }),
    ...outside.map((reason) => ofThirdParty(reason, evidence)),
  ];
  const reasons = found.flatMap(({ service, ...reason }) => (service === null ? [] : [{ ...reason, service }]));
  const hosts = found.flatMap(({ service, host = null, ...reason }) =>
    service === null && host !== null ? [{ ...reason, host }] : [],
  );
  const services = [...Map.groupBy(reasons, ({ service }) => service)].map(([service, against]) =>
    suspectOf(service, against, evidence, weights),
  );
  return suspectedHosts(calledSuspect(evidence, weights, view), hosts).reduce<Suspect[]>(
    (suspects, called) => withCalled(suspects, called, evidence),
    services,
  );
}

/** Returns a third party's reason, next to those of telemetry. */
function ofThirdParty({ place, ...reason }: OutsideReason, { own }: TelemetryEvidence) {
  return { ...reason, ...(place === "own" ? { service: own, host: null } : place), release: null };
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
    reasons: [...found.reasons, ...called.reasons],
    observations: [...new Set([...found.observations, ...called.observations])],
  };
  return services.map((one) => (one === found ? joined : one));
}

/** Returns whether none of the evidence against a service suggests a category. */
function isSilent({ category, observations }: Suspect): boolean {
  return (
    category === "dependency-outage" &&
    observations.every(({ fact }) => fact.kind === "failing-calls" || fact.kind === "related-failure")
  );
}

/** Returns the part of the failure that the weight of a fact depends on. */
function viewOf(evidence: TelemetryEvidence, { telemetry: worth }: ServiceWeights): FailureView<FactWeight> {
  const { own, said, event, signals, observations, context } = evidence;
  return {
    worth,
    own,
    said,
    isAnnounced: context.isAnnounced,
    changes: changesView(evidence),
    hasEvent: event !== null,
    hasRequest: event?.request !== undefined,
    failedStatuses: troubledCalls(event).map(({ data }) => data.status_code),
    isRejected: signals.some(({ kind }) => kind === "deliberate-throw"),
    hasStep: (how, isEnd = false) =>
      signals.some((signal) => signal.kind === "value-step" && signal.args.how === how && (signal.isEnd || !isEnd)),
    isFailing: (service) => isFailing(service, evidence),
    hasFailedCallsTo: (service) => hasFailedCallsTo(service, evidence),
    hasOnwardCall: (service) =>
      observations.some(({ fact }) => fact.kind === "onward-call" && fact.call.from === service),
    isAfterFailure: (at, errorMs) =>
      comesAfter({ at: Date.parse(at), errorMs }, { at: context.firstAt, errorMs: context.firstErrorMs }),
    isOfSomeProcesses: ofKind(observations, "concentration").some(({ fact }) => isOfProcesses(fact)),
    hasOwnRelease: ofKind(observations, "deploy").some(
      ({ fact: { deploy } }) => deploy.own && deploy.verdict !== "ruled-out",
    ),
  };
}

function changesView({ changes = [], observations }: TelemetryEvidence): ChangesView {
  return {
    ofName: (service, release) => {
      const [first] = changes.flatMap(({ effect, deploy }) =>
        effect.kind === "name" && deploy.service === service && deploy.release === release ? [effect.change] : [],
      );
      return first ?? null;
    },
    isUnchanged: (service, release) => isUnchanged({ service, release }, { observations, changes }),
    hasOwn: changes.some(({ effect, deploy }) => deploy.own && (effect.kind === "line" || effect.kind === "name")),
  };
}

/** Returns whether calls to the service failed, or it failed at the end of the calls. */
function isFailing(service: string, { observations }: TelemetryEvidence): boolean {
  return observations.some(
    ({ fact }) =>
      (fact.kind === "failing-calls" && fact.calls.service === service) ||
      (fact.kind === "onward-call" && fact.call.service === service) ||
      (fact.kind === "related-failure" &&
        fact.failure.service === service &&
        (fact.failure.role === "deepest" || fact.failure.role === "between")),
  );
}

/** The release rather than only its service is suspect once its time alone has this weight. */
function suspectOf(
  service: string,
  reasons: readonly Reason[],
  evidence: TelemetryEvidence,
  { telemetry: worth }: ServiceWeights,
): Suspect {
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
    reasons: reasons.map(({ observation, weight }) => ({ source: sourceOf(observation), weight })),
    observations: sorted.map(({ observation }) => observation),
  };
}

/**
 * A failed call says little when the failing value was read from another call's successful response, or when the code
 * handled the error of the call and went on without a value.
 */
function failureWeight(
  call: OutgoingCall,
  { signals, event }: TelemetryEvidence,
  { telemetry: worth }: ServiceWeights,
): number {
  const isOther = signals.some((signal) => signal.kind === "silent-wrapper" || isWellAnswered(signal, event));
  return (isRefusal(call) ? worth.refusedCall : worth.failedCall) * (isOther ? worth.unrelated : 1);
}

function answerWeight({ trouble }: OutgoingCall, { telemetry: worth }: ServiceWeights): number {
  return trouble === null ? worth.unreadableAnswer : worth.refusedAnswer;
}

/** Returns whether the response says that the request was wrong. */
function isRefusal({ data }: OutgoingCall): boolean {
  const status = data.status_code ?? 0;
  return status >= 400 && status < 500;
}

/** Returns the last call that failed before the error, or the last call answered when its response can't be read. */
function calledSuspect(
  evidence: TelemetryEvidence,
  weights: ServiceWeights,
  view: FailureView<FactWeight>,
): Suspect | null {
  const { event, observations, said } = evidence;
  const isAboutAnswer = said === "upstream-bad-response" || said === "parse-error";
  const call = troubledCalls(event)[0] ?? (isAboutAnswer ? recentCalls(event)[0] : undefined);
  if (!call) return null;
  const answering = observations.flatMap(({ fact }) =>
    fact.kind === "failing-calls" && fact.calls.host === call.host && fact.calls.service !== null
      ? [fact.calls.service]
      : [],
  )[0];
  const weight = isAboutAnswer
    ? answerWeight(call, weights)
    : failureWeight(call, evidence, weights) * callerFactor(view);
  const isUnanswered = call.data.status_code === undefined && call.trouble !== null;
  const isSaid = ["network-unreachable", "timeout", "auth"].includes(said);
  return {
    subject: { kind: "dependency", name: call.host },
    service: answering ?? null,
    category: isSaid ? said : isUnanswered ? "dependency-outage" : "upstream-bad-response",
    weight,
    reasons: [{ source: callSource, weight }],
    observations: observations.filter(({ fact }) => fact.kind === "failing-calls" && fact.calls.host === call.host),
  };
}
