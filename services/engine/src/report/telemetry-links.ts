import type { OnlyChange } from "../changes/only-change.ts";
import { isUnchanged, type TellingChange } from "../changes/telling-changes.ts";
import { answersAt } from "../findings/called-services.ts";
import type { Findings } from "../findings/findings.ts";
import { observeBreadcrumb } from "../findings/observe-input.ts";
import { ofKind, type Seen } from "../findings/of-kind.ts";
import { ownServiceOf } from "../outside/failure-context.ts";
import type { Candidate } from "../rank/candidate.ts";
import { isOfPlace } from "../signals/change-effect.ts";
import { lastName } from "../signals/code/step-code.ts";
import type { DeployFact } from "../signals/facts/deploy-fact.ts";
import { tellingSeverity } from "../signals/facts/process-state.ts";
import type { RelatedFailure } from "../signals/facts/related-failure.ts";
import type { OutgoingCall } from "../signals/inputs/call.ts";
import type { AnyCodeSignal } from "../signals/signal.ts";
import { ownService } from "./failure.ts";
import type { Link, LinkArgs, LinkOf } from "./link.ts";
import { outsideLinks } from "./outside-links.ts";

/**
 * Returns what happened before the code failed, in causal order: changes that third parties saw, a release, another
 * service's failure, a call, a process.
 */
export function telemetryLinks(candidate: Candidate, trail: readonly AnyCodeSignal[], findings: Findings): Link[] {
  const release = releaseLinks(candidate, trail, findings);
  const process = ofKind(candidate.observations, "process-state")
    .filter(({ fact: { state } }) => state.resource !== "restart" && state.severity >= tellingSeverity)
    .slice(0, 1)
    .map(processLink);
  const outside = outsideLinks(candidate.observations, findings);
  const later = outside.filter((link) => link.kind === "problem" && isAfter(link, release[0]));
  const earlier = outside.filter((link) => !later.includes(link));
  return [...earlier, ...release, ...later, ...process, ...calls(candidate, findings)];
}

/** Returns whether a third party's finding may follow from the service's own release. */
function isAfter({ at, service }: Link, release: Link | undefined): boolean {
  if (!release || at === null || release.at === null) return false;
  return service === release.service && Date.parse(at) >= Date.parse(release.at);
}

/**
 * Returns the release that the ranking suspects for the candidate, or that changed the response at the start of the
 * trail.
 */
function releaseLinks(candidate: Candidate, trail: readonly AnyCodeSignal[], findings: Findings): Link[] {
  const own = ofKind(candidate.observations, "deploy");
  const seen = own.length > 0 ? own : entersFromOutside(trail) ? answering(findings) : [];
  const [found] = seen
    .filter(({ fact: { deploy } }) => deploy.verdict !== "ruled-out")
    .map((observation) => ({ observation, change: changeOf(observation.fact.deploy, candidate, trail, findings) }))
    .filter(({ observation, change }) => change !== null || !changedElsewhere(observation.fact.deploy, findings))
    .toSorted((left, right) => orderOf(left) - orderOf(right));
  if (!found) return [];
  const { observation } = found;
  const { deploy } = observation.fact;
  const change = found.change ?? (deploy.own ? null : onlyChangeOf(deploy, findings));
  const of = { service: deploy.service, release: deploy.release };
  const link: Link = {
    kind: "deploy",
    location: change?.place ?? null,
    ...of,
    at: deploy.at,
    args: {
      deploy,
      change: change && { ...change, commit: change.observation.fact.change.commit },
      schema: schemaOf(deploy, findings),
    },
    evidence: change ? [change.observation, observation] : [observation],
  };
  const answer = answerOf(deploy, change, trail);
  return answer
    ? [link, { kind: "changed-answer", location: null, at: null, ...of, args: answer, evidence: link.evidence }]
    : [link];
}

/** Returns what new migrations of a release rename or drop, as far as its code was compared. */
function schemaOf(
  { service, release }: Pick<DeployFact, "service" | "release">,
  { observations }: Findings,
): LinkArgs["deploy"]["schema"] {
  return ofKind(observations, "comparison").flatMap(({ fact: { comparison: one } }) =>
    one.service === service && one.release === release ? one.schema : [],
  );
}

function onlyChangeOf(
  { service, release }: Pick<DeployFact, "service" | "release">,
  { onlyChanges = [] }: Findings,
): OnlyChange | null {
  const isOfRelease = ({ observation: { fact } }: OnlyChange): boolean =>
    fact.change.service === service && fact.change.release === release;
  return onlyChanges.find(isOfRelease) ?? null;
}

interface FoundRelease {
  readonly observation: Seen<"deploy">;
  readonly change: TellingChange | null;
}

/** Suspects come first, then releases with a change that bears on the failure. */
function orderOf({ observation, change }: FoundRelease): number {
  return observation.fact.deploy.verdict === "suspect" ? 0 : change ? 1 : 2;
}

/**
 * Returns what a release changed that bears on the candidate; in the service's own code, only lines on the candidate's
 * trail.
 */
function changeOf(
  deploy: DeployFact,
  { subject, frames }: Candidate,
  trail: readonly AnyCodeSignal[],
  { changes = [] }: Findings,
): TellingChange | null {
  const files = [
    ...(subject.kind === "place" ? [subject.file] : []),
    ...trail.map((signal) => signal.subject.file),
    ...frames.map(({ file }) => file),
  ];
  const found = changes.find(
    ({ effect, place, deploy: { service, release } }) =>
      service === deploy.service && release === deploy.release && (!isOfPlace(effect) || files.includes(place.file)),
  );
  return found ?? null;
}

/**
 * Returns whether a release of the service itself is only near in time, and all of its changes were read and are
 * elsewhere.
 */
function changedElsewhere(deploy: DeployFact, findings: Findings): boolean {
  // Unknown when the failing code itself wasn't read.
  return deploy.own && deploy.verdict === "near" && findings.files.length > 0 && isUnchanged(deploy, findings);
}

/**
 * Returns what is said about the response that a release changed; null when the failing value isn't from that response.
 */
function answerOf(
  deploy: DeployFact,
  change: TellingChange | OnlyChange | null,
  trail: readonly AnyCodeSignal[],
): LinkArgs["changed-answer"] | null {
  const of = { service: deploy.service, release: deploy.release };
  const effect = !deploy.own && deploy.upstream === undefined && change?.effect.kind === "name" ? change.effect : null;
  if (effect) return { ...of, field: effect.change === "changed" ? null : effect.name };
  if (!answeredWith(deploy) || !entersFromOutside(trail)) return null;
  return { ...of, field: isMissing(trail) ? fieldOf(trail) : null };
}

/**
 * Returns whether the value may be from this service's response: it was called, and answered last. A caller gave a
 * request instead.
 */
function answeredWith({ own, upstream, answeredLast }: DeployFact): boolean {
  return !own && upstream === undefined && answeredLast;
}

/** Returns whether the error says that a field or key was missing, rather than null or of another type. */
function isMissing(trail: readonly AnyCodeSignal[]): boolean {
  return trail.some((signal) => {
    if (signal.kind !== "bad-value") return false;
    const { was, use, member } = signal.args;
    return was === "undefined" || (use === "element" && was === member);
  });
}

function answering({ observations }: Findings): Seen<"deploy">[] {
  return ofKind(observations, "deploy").filter(({ fact: { deploy } }) => !deploy.own && deploy.answeredLast);
}

/** Returns whether the failing value came from another service's response. */
function entersFromOutside(trail: readonly AnyCodeSignal[]): boolean {
  const [first] = trail;
  return (
    first?.kind === "value-step" &&
    (first.args.how === "answer-field" || first.args.how === "outside-answer" || first.args.how === "awaited-call")
  );
}

/** Returns the missing field: where it was read from the response, or else the last property read on the trail. */
function fieldOf(trail: readonly AnyCodeSignal[]): string | null {
  for (const signal of trail) {
    if (signal.kind === "value-step" && signal.args.how === "answer-field") return lastName(signal.args.name);
  }
  for (const signal of trail.toReversed()) {
    if (signal.kind === "value-step" && signal.args.how === "property") return lastName(signal.args.code);
    if (signal.kind === "value-step" && signal.args.how === "argument" && signal.args.code.includes("."))
      return lastName(signal.args.code);
  }
  return null;
}

function processLink(observation: Seen<"process-state">): Link {
  const { state } = observation.fact;
  return {
    kind: "process-state",
    args: { state },
    location: null,
    service: state.service,
    release: null,
    at: observation.observed_at,
    evidence: [observation],
  };
}

/**
 * Returns another service's failure, and the call that ran into it. A failure that was only at the same time isn't
 * known to have led to anything.
 */
function calls(candidate: Candidate, findings: Findings): Link[] {
  const { observations, subject } = candidate;
  const failures = ofKind(observations, "related-failure").filter(
    ({ fact: { failure } }) =>
      (failure.link === "trace" && roles.includes(failure.role)) || isOfAnnounced(failure, findings),
  );
  const [related] = failures;
  const [failing] = ofKind(observations, "failing-calls");
  const troubled = findings.event?.calls.findLast(({ trouble, isRelated }) => trouble !== null && isRelated) ?? null;
  const isCalled = related !== undefined || failing !== undefined || isCallOf(subject, troubled?.host, findings);
  const call = troubled && isCalled ? callLink(troubled, findings) : null;
  return [
    ...(related ? [relatedFailureLink(related, findings)] : []),
    ...(failing && !related ? [failingLink(failing)] : []),
    ...(call ? [call] : []),
  ];
}

/**
 * Returns whether a failure of the service itself, or of one that it calls, represents an announced failure without an
 * event.
 */
function isOfAnnounced({ service, link, role }: RelatedFailure, findings: Findings): boolean {
  return findings.about !== undefined && link === "time" && (role === "deepest" || service === ownServiceOf(findings));
}

const roles: readonly string[] = ["deepest", "refusing", "between"];

/**
 * Returns whether a call to the host is relevant to the candidate: the candidate is what was called, or the calling
 * service.
 */
function isCallOf(subject: Candidate["subject"], host: string | undefined, findings: Findings): boolean {
  if (host === undefined) return false;
  if (subject.kind === "dependency") return subject.name === host;
  if (subject.kind !== "service") return false;
  return subject.service === findings.event?.service || answersAt(subject.service, host, findings.observations);
}

/** A failure in another trace is only known to have happened, not to have happened before. */
function relatedFailureLink(observation: Seen<"related-failure">, { event, about }: Findings): Link {
  const { failure } = observation.fact;
  const failedAt = event?.at ?? about?.at ?? null;
  const isBefore = failedAt !== null && Date.parse(failure.at) <= Date.parse(failedAt);
  return {
    kind: "related-failure",
    args: { failure },
    location: failure.location,
    service: failure.service,
    release: null,
    at: isBefore ? failure.at : null,
    evidence: [observation],
  };
}

function failingLink(observation: Seen<"failing-calls">): Link {
  const { calls: failing } = observation.fact;
  return {
    kind: "failing-calls",
    args: { calls: failing },
    location: null,
    service: failing.service,
    release: null,
    at: null,
    evidence: [observation],
  };
}

/** Returns a call from this event's breadcrumbs as a link. */
function callLink(call: OutgoingCall, findings: Findings): LinkOf<"call"> | null {
  const observed = findings.event ? observeBreadcrumb(findings.event, call.index) : null;
  return (
    observed && {
      kind: "call",
      args: { call },
      location: null,
      ...ownService(findings),
      at: call.at,
      evidence: [observed],
    }
  );
}
