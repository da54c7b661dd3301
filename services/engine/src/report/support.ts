import { hasFailedCallsTo } from "../findings/called-services.ts";
import type { Findings } from "../findings/findings.ts";
import type { OfKind } from "../findings/kinds.ts";
import { type LocatedFrame, ranAt } from "../findings/located-frame.ts";
import type { Observation } from "../findings/observation.ts";
import { observeCode, observeSignature } from "../findings/observe-input.ts";
import { ofKind } from "../findings/of-kind.ts";
import { failureContextOf, ownServiceOf } from "../outside/failure-context.ts";
import type { Candidate } from "../rank/candidate.ts";
import { type AnyFact, isSupport, withShownPaths } from "../signals/fact.ts";
import { comesAfter } from "../signals/time-order.ts";
import { knownFailure } from "./known-failure.ts";
import type { Link } from "./link.ts";
import type { Doubt } from "./messages/doubts.ts";
import type { Messages } from "./messages.en.ts";
import { isInstalledFrame } from "./nouns.ts";
import { type ShownPath, shownPathOf } from "./shown-path.ts";
import { whatOf } from "./words.ts";

/** Something that supports a candidate, and its evidence. */
export interface Support {
  readonly text: string;
  readonly evidence: readonly Observation<AnyFact>[];
}

const supportMax = 8;

/** Returns what supports a candidate: its signals, its telemetry, and the known failure that it matches. */
export function supportOf(
  candidate: Candidate,
  chain: readonly Link[],
  findings: Findings,
  messages: Messages,
): Support[] {
  const shown = shownPathOf(findings);
  const signals = chain.filter((link) => link.kind === "code");
  const isAnnounced = findings.about !== undefined;
  const { firstAt, firstErrorMs } = failureContextOf(findings);
  const isAfterFailure = (at: string, errorMs: number): boolean =>
    comesAfter({ at: Date.parse(at), errorMs }, { at: firstAt, errorMs: firstErrorMs });
  const telemetry = candidate.observations.filter(({ fact }) =>
    isSupport(fact, { isAnnounced, isAfterFailure, said: candidate.category }),
  );
  const ends = chain.flatMap((link) =>
    link.kind === "exit"
      ? link.args.exit.reasons.map((reason) => ({ text: messages.exitReason(reason), evidence: link.evidence }))
      : [],
  );
  const known = candidate.signature ? knownFailure(candidate.signature, findings).meaning : null;
  const all = [
    ...signals.map((link) => ({ text: whatOf(link, messages), evidence: link.evidence })),
    ...ends,
    ...telemetry.map((observation) => ({
      text: messages.evidence(withShownPaths(observation.fact, shown)),
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
  const place = ranAt(frame);
  if (!place) return [];
  const observed = observeCode(findings, place);
  return [{ text: messages.evidence(withShownPaths(observed.fact, shown)), evidence: [observed] }];
}

/** Returns what speaks against a candidate. */
export function doubtsOf(candidate: Candidate, findings: Findings): Doubt[] {
  const { subject, frames, observations } = candidate;
  const [frame] = frames;
  const isPlace = subject.kind === "place";
  const isUnseen = findings.frames.length === 0 && observations.every(({ fact }) => fact.kind === "model-finding");
  return [
    ...(isPlace && subject.source === null && !frame?.place ? [{ kind: "source-missing" as const }] : []),
    ...(frame && isInstalledFrame(frame, findings.files) ? [{ kind: "installed-package" as const }] : []),
    ...(!isPlace && isUnseen ? [{ kind: "no-place" as const }] : []),
    ...seenOtherwise(candidate, findings),
    ...serviceDoubts(candidate, findings),
    ...ofKind(observations, "model-finding").flatMap(({ fact: { finding } }) =>
      finding.stance === "refutes" ? [{ kind: "ruled-out-by-model" as const, finding }] : [],
    ),
  ];
}

/** Returns what was seen that the cause can't have shown. */
function seenOtherwise({ subject }: Candidate, { verdicts }: Findings): Doubt[] {
  const verdict = verdicts?.about(subject);
  return verdict?.seen === "refuted" ? [{ kind: "seen-otherwise", observation: verdict.observation }] : [];
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

/** Returns the observation behind a doubt; undefined for one about the candidate itself. */
export function evidenceOfDoubt(doubt: Doubt, { observations }: Findings): Observation | undefined {
  if (doubt.kind === "seen-otherwise") return doubt.observation;
  return observations.find(({ fact }) => {
    if (doubt.kind === "ruled-out-by-model") return fact.kind === "model-finding" && fact.finding === doubt.finding;
    if (doubt.kind === "release-ruled-out") return fact.kind === "deploy" && fact.deploy === doubt.deploy;
    if (doubt.kind !== "only-time" && doubt.kind !== "only-called" && doubt.kind !== "no-failed-call") return false;
    return fact.kind === "related-failure" && fact.failure.service === doubt.service;
  });
}

/** Returns the words for a doubt. */
export function doubtText<K extends Doubt["kind"]>(doubt: OfKind<Doubt, K>, { doubts }: Messages): string {
  return doubts[doubt.kind](doubt);
}
