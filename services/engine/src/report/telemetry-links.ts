import { lastName } from "../changes/missing-names.ts";
import type { OnlyChange } from "../changes/only-change.ts";
import { isUnchanged, type TellingChange } from "../changes/telling-changes.ts";
import { answersAt } from "../findings/called-services.ts";
import type { Findings } from "../findings/findings.ts";
import { observeBreadcrumb } from "../findings/observations.ts";
import { ofKind, type Seen } from "../findings/of-kind.ts";
import { ownServiceOf } from "../outside/failure-context.ts";
import type { Candidate } from "../rank/candidate.ts";
import { isOfPlace } from "../signals/change-effect.ts";
import type { DeployFact } from "../signals/facts/deploy-fact.ts";
import { tellingSeverity } from "../signals/facts/process-state.ts";
import type { RelatedFailure } from "../signals/facts/related-failure.ts";
import type { OutgoingCall } from "../signals/inputs/call.ts";
import type { AnyCodeSignal } from "../signals/signal.ts";
import { ownService } from "./failure.ts";
import type { Link, LinkArgs, LinkOf } from "./link.ts";
import { outsideLinks } from "./outside-links.ts";

/** What happened before the code: what third parties saw change, a release, another service's failure, a call, a process. In causal order. */
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

/** Whether what a third party noticed can follow from the service's own release. */
function isAfter({ at, service }: Link, release: Link | undefined): boolean {
  if (!release || at === null || release.at === null) return false;
  return service === release.service && Date.parse(at) >= Date.parse(release.at);
}

/** The release that the ranking holds against the candidate, or that changed the answer which the trail begins with. */
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
    ...{ kind: "release", location: change?.place ?? null, ...of, at: deploy.at },
    args: { deploy, change: change && { ...change, commit: change.observation.fact.change.commit } },
    evidence: change ? [change.observation, observation] : [observation],
  };
  const answer = answerOf(deploy, change, trail);
  return answer
    ? [link, { ...{ kind: "changed-answer", location: null, at: null, ...of }, args: answer, evidence: link.evidence }]
    : [link];
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

/** Suspects first, then releases that changed something which bears on the failure. */
function orderOf({ observation, change }: FoundRelease): number {
  return observation.fact.deploy.verdict === "suspect" ? 0 : change ? 1 : 2;
}

/** What a release changed that bears on the candidate: of the service's own lines only those on its way. */
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

/** Whether a release of the service's own is only near, and all of its changes were read and lie elsewhere. */
function changedElsewhere(deploy: DeployFact, findings: Findings): boolean {
  // Where the failing code itself wasn't read, that isn't known.
  return deploy.own && deploy.verdict === "near" && findings.files.length > 0 && isUnchanged(deploy, findings);
}

/** What is said of the answer that a release changed; null when the failing value isn't of that answer. */
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

/** Whether the value can be of this service's answer: it was asked, and answered last. A caller gave a request instead. */
function answeredWith({ own, upstream, answeredLast }: DeployFact): boolean {
  return !own && upstream === undefined && answeredLast;
}

/** Whether the error says that a field or a key wasn't there, rather than that it was null or of another type. */
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

/** Whether the failing value came from another service's answer. */
function entersFromOutside(trail: readonly AnyCodeSignal[]): boolean {
  const [first] = trail;
  return (
    first?.kind === "value-step" &&
    (first.args.how === "answer-field" || first.args.how === "outside-answer" || first.args.how === "awaited-call")
  );
}

/** The field that was missed: where it was read from the answer, or else the last property read on the trail. */
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
    ...{ kind: "process", args: { state }, location: null, service: state.service, release: null },
    at: observation.observed_at,
    evidence: [observation],
  };
}

/** Another service's failure and the call that met it. What only failed at the same time led to nothing that is known. */
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

/** Whether a failure of the service itself, or of one that it calls, stands for an announced one without an event. */
function isOfAnnounced({ service, link, role }: RelatedFailure, findings: Findings): boolean {
  return findings.about !== undefined && link === "time" && (role === "deepest" || service === ownServiceOf(findings));
}

const roles: readonly string[] = ["deepest", "refusing", "between"];

/** Whether a call to the host belongs to the candidate's story: it is what was called, or the service that called. */
function isCallOf(subject: Candidate["subject"], host: string | undefined, findings: Findings): boolean {
  if (host === undefined) return false;
  if (subject.kind === "dependency") return subject.name === host;
  if (subject.kind !== "service") return false;
  return subject.service === findings.event?.service || answersAt(subject.service, host, findings.observations);
}

/** Of another trace only that it happened is known, not that it came before. */
function relatedFailureLink(observation: Seen<"related-failure">, { event, about }: Findings): Link {
  const { failure } = observation.fact;
  const failedAt = event?.at ?? about?.at ?? null;
  const isBefore = failedAt !== null && Date.parse(failure.at) <= Date.parse(failedAt);
  return {
    ...{
      kind: "related-failure",
      args: { failure },
      location: failure.location,
      service: failure.service,
      release: null,
    },
    at: isBefore ? failure.at : null,
    evidence: [observation],
  };
}

function failingLink(observation: Seen<"failing-calls">): Link {
  const { calls: failing } = observation.fact;
  return {
    ...{ kind: "failing-calls", args: { calls: failing }, location: null, service: failing.service, release: null },
    at: null,
    evidence: [observation],
  };
}

/** A call that this event's breadcrumbs recorded, as a link. */
function callLink(call: OutgoingCall, findings: Findings): LinkOf<"call"> | null {
  const observed = findings.event ? observeBreadcrumb(findings.event, call.index) : null;
  return (
    observed && {
      ...{ kind: "call", args: { call }, location: null, ...ownService(findings), at: call.at, evidence: [observed] },
    }
  );
}
