import { hasFailedCallsTo } from "../findings/called-services.ts";
import type { Findings, LocatedFrame, Observation } from "../findings/findings.ts";
import type { OfKind } from "../findings/kinds.ts";
import { observeCode, observeSignature } from "../findings/observations.ts";
import type { AnyFact, Fact } from "../findings/telemetry-facts.ts";
import { ownServiceOf } from "../outside/failure-context.ts";
import type { Candidate } from "../rank/candidate.ts";
import { knownFailure } from "./known-failure.ts";
import type { Link } from "./link.ts";
import type { Doubt } from "./messages/doubts.ts";
import type { Messages } from "./messages.en.ts";
import { type ShownPath, shownPathOf, withShownPaths } from "./shown-path.ts";
import { whatOf } from "./words.ts";

/** Something that supports a candidate, and what shows it. */
export interface Support {
  readonly text: string;
  readonly evidence: readonly Observation<AnyFact>[];
}

const supportMax = 8;
const farSteps = 4;

/** What supports a candidate: its signals, what telemetry shows of it, and the known failure that it is. */
export function supportOf(
  candidate: Candidate,
  chain: readonly Link[],
  findings: Findings,
  messages: Messages,
): Support[] {
  const shown = shownPathOf(findings.frames);
  const signals = chain.filter((link) => link.kind === "code");
  const isAnnounced = findings.about !== undefined;
  const telemetry = candidate.observations.filter(({ fact }) => speaksFor(fact, isAnnounced));
  const ends = chain.flatMap((link) =>
    link.kind === "exit"
      ? link.args.exit.reasons.map((reason) => ({ text: messages.exitReason(reason), evidence: link.evidence }))
      : [],
  );
  const known = candidate.signature ? knownFailure(candidate.signature).meaning : null;
  const all = [
    ...signals.map((link) => ({ text: whatOf(link, messages), evidence: link.evidence })),
    ...ends,
    ...telemetry.map((observation) => ({
      text: evidenceText(withShownPaths(observation.fact, shown), messages),
      evidence: [observation],
    })),
    ...(candidate.signature && known !== null
      ? [{ text: known, evidence: [observeSignature(findings, candidate.signature)] }]
      : []),
    ...candidate.frames.slice(0, 1).flatMap((frame) => frameSupport(frame, findings, shown, messages)),
  ];
  const distinct = all.filter(({ text }, index) => all.findIndex((other) => other.text === text) === index);
  return distinct.slice(0, supportMax);
}

function frameSupport(frame: LocatedFrame, findings: Findings, shown: ShownPath, messages: Messages): Support[] {
  if (!frame.place) return [];
  const observed = observeCode(findings, frame.place);
  return [{ text: evidenceText(withShownPaths(observed.fact, shown), messages), evidence: [observed] }];
}

/** What a piece of evidence shows, in words. */
export function evidenceText<K extends AnyFact["kind"]>(fact: OfKind<AnyFact, K>, { evidence }: Messages): string {
  return evidence[fact.kind](fact);
}

/** What only happened before or beside the failure supports no cause, unless the failure itself is only announced. */
function speaksFor(fact: Fact, isAnnounced: boolean): boolean {
  if (fact.kind === "exit") return false;
  if (fact.kind === "deploy") return fact.deploy.verdict !== "ruled-out";
  if (fact.kind === "related-failure")
    return isAnnounced || (fact.failure.link !== "time" && fact.failure.role !== "beside");
  return fact.kind !== "process-state" || fact.state.resource !== "restart";
}

/** What argues against a candidate. */
export function doubtsOf(candidate: Candidate, findings: Findings): Doubt[] {
  const { subject, frames, signals, observations } = candidate;
  const [frame] = frames;
  const [signal] = signals;
  const isPlace = subject.kind === "place";
  return [
    ...(isPlace && subject.source === null && !frame?.place ? [{ kind: "source-missing" as const }] : []),
    ...(frame?.frame.origin === "dependency" ? [{ kind: "installed-package" as const }] : []),
    ...(signal && signal.steps > farSteps ? [{ kind: "far-away" as const }] : []),
    ...(!isPlace && findings.frames.length === 0 && observations.length === 0 ? [{ kind: "no-place" as const }] : []),
    ...serviceDoubts(candidate, findings),
  ];
}

function serviceDoubts({ service, subject }: Candidate, findings: Findings): Doubt[] {
  const { observations, event } = findings;
  const isConnected = service !== null && hasFailedCallsTo(service, { observations, event });
  const fromTelemetry = observations.flatMap(({ fact }): Doubt[] => {
    if (fact.kind === "deploy" && fact.deploy.service === service && fact.deploy.verdict === "ruled-out")
      return [{ kind: "release-ruled-out", deploy: fact.deploy }];
    if (fact.kind !== "related-failure" || fact.failure.service !== service) return [];
    if (isConnected || service === ownServiceOf(findings)) return [];
    if (fact.failure.link === "time" && fact.failure.role === "deepest") return [{ kind: "only-called", service }];
    if (fact.failure.link === "time") return [{ kind: "only-time", service }];
    return fact.failure.role === "beside" ? [{ kind: "no-failed-call", service }] : [];
  });
  const related = (event?.calls ?? []).filter(({ isRelated }) => isRelated);
  const last = related.at(-1);
  const isCalm = related.every(({ trouble }) => trouble === null);
  return subject.kind === "dependency" && last && isCalm
    ? [...fromTelemetry, { kind: "call-succeeded", host: last.host }]
    : fromTelemetry;
}

/** The observation that a doubt comes from; undefined for one about the candidate itself. */
export function evidenceOfDoubt(doubt: Doubt, { observations }: Findings): Observation | undefined {
  return observations.find(({ fact }) => {
    if (doubt.kind === "release-ruled-out") return fact.kind === "deploy" && fact.deploy === doubt.deploy;
    if (doubt.kind !== "only-time" && doubt.kind !== "only-called" && doubt.kind !== "no-failed-call") return false;
    return fact.kind === "related-failure" && fact.failure.service === doubt.service;
  });
}

/** The words for a doubt. */
export function doubtText(doubt: Doubt, { doubts }: Messages): string {
  switch (doubt.kind) {
    case "far-away":
      return doubts["far-away"](doubt);
    case "only-time":
      return doubts["only-time"](doubt);
    case "only-called":
      return doubts["only-called"](doubt);
    case "no-failed-call":
      return doubts["no-failed-call"](doubt);
    case "release-ruled-out":
      return doubts["release-ruled-out"](doubt);
    case "call-succeeded":
      return doubts["call-succeeded"](doubt);
    case "source-missing":
      return doubts["source-missing"](doubt);
    case "installed-package":
      return doubts["installed-package"](doubt);
    case "no-place":
      return doubts["no-place"](doubt);
  }
}
