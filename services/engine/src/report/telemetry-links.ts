import { answersAt } from "../called-services.ts";
import type { Findings, OutgoingCall } from "../findings.ts";
import { observeBreadcrumb } from "../observe.ts";
import type { Candidate } from "../rank/candidate.ts";
import type { AnyCodeSignal } from "../signals/signal.ts";
import type { DeployFact } from "../telemetry-facts.ts";
import { ownService } from "./failure.ts";
import type { Link, LinkOf } from "./link.ts";
import { ofKind, type Seen } from "./of-kind.ts";

/** What happened before the code: a release, another service's failure, a call, a process. In causal order. */
export function telemetryLinks(candidate: Candidate, trail: readonly AnyCodeSignal[], findings: Findings): Link[] {
  const release = releaseLinks(candidate, trail, findings);
  const process = ofKind(candidate.observations, "process-state")
    .filter(({ fact: { state } }) => state.resource !== "restart" && state.severity >= tellingSeverity)
    .slice(0, 1)
    .map(processLink);
  return [...release, ...process, ...calls(candidate, findings)];
}

const tellingSeverity = 0.6;

/** The release that the ranking holds against the candidate, or that changed the answer which the trail begins with. */
function releaseLinks(candidate: Candidate, trail: readonly AnyCodeSignal[], findings: Findings): Link[] {
  const own = ofKind(candidate.observations, "deploy");
  const seen = own.length > 0 ? own : entersFromOutside(trail) ? answering(findings) : [];
  const order: readonly DeployFact["verdict"][] = ["suspect", "near"];
  const [found] = seen
    .filter(({ fact: { deploy } }) => deploy.verdict !== "ruled-out")
    .toSorted((left, right) => order.indexOf(left.fact.deploy.verdict) - order.indexOf(right.fact.deploy.verdict));
  if (!found) return [];
  const { deploy } = found.fact;
  const link: Link = {
    kind: "release",
    args: { deploy },
    location: null,
    ...{ service: deploy.service, release: deploy.release, at: deploy.at },
    evidence: [found],
  };
  if (!answeredWith(deploy) || !entersFromOutside(trail)) return [link];
  const args = { service: deploy.service, release: deploy.release, field: isMissing(trail) ? fieldOf(trail) : null };
  return [
    link,
    {
      ...{ kind: "changed-answer", args, location: null, at: null, evidence: [found] },
      ...{ service: deploy.service, release: deploy.release },
    },
  ];
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

function lastName(path: string): string | null {
  return /[\w$]+$/.exec(path.replace(/["'\])]+$/, ""))?.[0] ?? null;
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
  const failures = ofKind(observations, "neighbour-failure").filter(
    ({ fact: { failure } }) => failure.link === "trace" && roles.includes(failure.role),
  );
  const [neighbour] = failures;
  const [failing] = ofKind(observations, "failing-calls");
  const troubled = findings.event?.calls.findLast(({ trouble, isRelated }) => trouble !== null && isRelated) ?? null;
  const isCalled = neighbour !== undefined || failing !== undefined || isCallOf(subject, troubled?.host, findings);
  const call = troubled && isCalled ? callLink(troubled, findings) : null;
  return [
    ...(neighbour ? [neighbourLink(neighbour, findings)] : []),
    ...(failing && !neighbour ? [failingLink(failing)] : []),
    ...(call ? [call] : []),
  ];
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
function neighbourLink(observation: Seen<"neighbour-failure">, { event }: Findings): Link {
  const { failure } = observation.fact;
  const isBefore = event !== null && Date.parse(failure.at) <= Date.parse(event.at);
  return {
    ...{ kind: "neighbour", args: { failure }, location: failure.location, service: failure.service, release: null },
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
