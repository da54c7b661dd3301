import { clockErrorMs, type Location } from "@whence/protocol";
import { isAdvisory } from "../findings/advisory.ts";
import type { Findings } from "../findings/findings.ts";
import { type CodePlace, type LocatedFrame, lineOf } from "../findings/located-frame.ts";
import { observeAlert, observeCode, observeRequest } from "../findings/observe-input.ts";
import { ownServiceOf } from "../outside/failure-context.ts";
import type { Candidate } from "../rank/candidate.ts";
import { isRaisedAnswer, isUncheckedAnswer } from "../signals/read-answers.ts";
import { type AnyCodeSignal, kindOf } from "../signals/signal.ts";
import type { PlaceSubject } from "../signals/subject.ts";
import { throwingSignal } from "../signals/throwing-signal.ts";
import type { Traced } from "../trace/traced.ts";
import { telling } from "../words/telling.ts";
import { dependenceOn } from "./dependence.ts";
import { exitLinks } from "./exit-chain.ts";
import {
  failureEvidence,
  frameEvidence,
  framesInward,
  ownService,
  requestText,
  shownPlace,
  systemCode,
  thrownAt,
  thrownIn,
} from "./failure.ts";
import { importBesideStack } from "./import-beside-stack.ts";
import { isSamePlace, type Link, type LinkOf } from "./link.ts";
import { isInstalledFrame } from "./nouns.ts";
import type { ShownPath } from "./shown-path.ts";
import { telemetryLinks } from "./telemetry-links.ts";
import { trailOf } from "./trail.ts";

/** The input of a causal chain. */
export interface ChainSources {
  readonly findings: Findings;
  readonly traced: Traced;
  readonly shown: ShownPath;
}

/** The origin, boundaries, and symptom; the steps between are in the analysis. */
const codeLinksMax = 4;

/** Subjects that neither code nor telemetry represents. */
const named: ReadonlySet<Candidate["subject"]["kind"]> = new Set(["dependency", "setting", "input"]);

/** Returns the causal chain of a candidate, from the origin to the symptom. Never empty. */
export function chainOf(candidate: Candidate, sources: ChainSources): Link[] {
  if (sources.findings.exit) {
    const blocking = candidate.signals.slice(0, 1).map((signal) => codeLink(signal, sources));
    return inOrder(exitLinks(candidate, sources.findings, blocking));
  }
  const trail = trailOf(candidate, sources.traced, sources.findings);
  const upstream = telemetryLinks(candidate, trail, sources.findings).map((link) =>
    withShownPlace(link, sources.shown),
  );
  const code = thinned(trail).map((signal) => codeLink(signal, sources));
  const own = isStatedBy([...upstream, ...code], candidate, sources) ? [] : ownLink(candidate, sources);
  const last = code.at(-1);
  const ending = last && endsInThrow(last, sources.findings) ? [] : symptom(sources);
  const other = own.filter((link) => !ending.some((end) => isSamePlace(link, end)));
  return inOrder(saidOnce([...upstream, ...other, ...withFailure(code, sources, ending.length === 0), ...ending]));
}

/** A call that led to where the error was thrown doesn't repeat the error. */
function saidOnce(links: readonly Link[]): readonly Link[] {
  return links.map((link, index) => {
    const before = links[index - 1];
    if (link.kind !== "failure" || before?.kind !== "frame" || !before.args.thrown) return link;
    const { type, message } = before.args.thrown;
    const isSame = type === link.args.type && message === link.args.message;
    return isSame ? { ...link, args: { ...link.args, isCaller: true } } : link;
  });
}

/** Returns the links that something shows: a place that only the ranking names isn't part of what happened. */
export function shownLinks(chain: readonly Link[]): readonly Link[] {
  const shown = chain.filter((link) => link.kind !== "off-stack" || link.args.dependence || link.args.imported);
  return shown.length > 0 ? shown : chain;
}

/** Returns whether the links already state the candidate, so that it needs no link of its own. */
function isStatedBy(links: readonly Link[], { subject }: Candidate, { findings }: ChainSources): boolean {
  if (named.has(subject.kind)) return links.some(({ kind }) => kind === "failing-calls");
  if (subject.kind === "service" && subject.service !== ownServiceOf(findings))
    return links.some(({ service }) => service === subject.service);
  return links.length > 0;
}

/** Returns whether what failed on the same line names the field that a step reads: `a.b` in `a.b.c()`. */
function isSaidBy({ kind, args, subject }: AnyCodeSignal, failed: AnyCodeSignal | undefined): boolean {
  if (kind !== "value-step" || args.how !== "property") return false;
  if (failed?.subject.file !== subject.file || failed.subject.line !== subject.line) return false;
  if (failed.kind === "bad-value" && failed.args.others) return false;
  return (failed.kind === "bad-value" || failed.kind === "throw-site") && !!failed.args.expression?.includes(args.code);
}

function isSameFunction(left: AnyCodeSignal | undefined, right: AnyCodeSignal | undefined): boolean {
  return left?.subject.file === right?.subject.file && left?.subject.function === right?.subject.function;
}

/** Returns whether a step is the parameter of a function. */
function isCalledWith(signal: AnyCodeSignal | undefined): boolean {
  return signal?.kind === "value-step" && signal.args.how === "parameter";
}

/**
 * Keeps the first link, the places where the value enters another function, and the last link; and the call that hands
 * the value on from the function where it began, which the first link alone doesn't explain.
 */
function thinned(trail: readonly AnyCodeSignal[]): AnyCodeSignal[] {
  const apart = trail.filter((signal, index) => {
    const next = trail[index + 1];
    const isSame = next?.subject.file === signal.subject.file && next.subject.line === signal.subject.line;
    return !isSame || (index === 0 && !isSaidBy(signal, trail.at(-1)));
  });
  const isEntered = (index: number): boolean => !isSameFunction(apart[index - 1], apart[index]);
  const entered = apart.findIndex((_, index) => index > 0 && isEntered(index));
  const isApart = apart[entered - 1]?.subject.line !== apart[0]?.subject.line;
  const handingOver = entered > 1 && isApart && isCalledWith(apart[entered]) ? entered - 1 : null;
  const crossings = apart.filter(
    (_, index) => index === 0 || index === apart.length - 1 || index === handingOver || isEntered(index),
  );
  const last = crossings.at(-1);
  const linksMax = codeLinksMax + Number(handingOver !== null);
  return crossings.length <= linksMax || !last ? crossings : [...crossings.slice(0, linksMax - 1), last];
}

function codeLink(signal: AnyCodeSignal, { findings, traced, shown }: ChainSources): LinkOf<"code"> {
  const { file, line, function: name } = signal.subject;
  const location = { file, line, function: name };
  return {
    kind: "code",
    args: {
      signal,
      place: shownPlace(location, shown),
      thrown: kindOf(signal).throws === "message" ? thrownIn(findings) : null,
      isRaised: isRaisedAnswer(signal, findings.event),
      isUnchecked: answersInto(signal, traced.signals).some((one) => isUncheckedAnswer(one, findings)),
    },
    location,
    ...ownService(findings),
    at: null,
    evidence: [observeCode(findings, placeOf(signal))],
  };
}

/** Returns a step, or for a field that it reads, also the steps of the same function that the field's object is from. */
function answersInto(signal: AnyCodeSignal, signals: readonly AnyCodeSignal[]): AnyCodeSignal[] {
  if (signal.kind !== "value-step" || signal.args.how !== "property") return [signal];
  const { file, function: name } = signal.subject;
  const isHere = ({ subject }: AnyCodeSignal): boolean => subject.file === file && subject.function === name;
  const leadsHere = (from: AnyCodeSignal): boolean => {
    for (let at = from.towards; at !== null && isHere(at); at = at.towards) if (at === signal) return true;
    return false;
  };
  return [signal, ...signals.filter((one) => isHere(one) && leadsHere(one))];
}

function placeOf({ subject: { file, line, function: name, source } }: AnyCodeSignal): CodePlace {
  return { file, line, function: name, source };
}

/** Returns a link that states the candidate, when neither code nor telemetry shows more about it. */
function ownLink(candidate: Candidate, sources: ChainSources): Link[] {
  const { subject, frames } = candidate;
  const { findings } = sources;
  const base = { location: null, ...ownService(findings), at: null, evidence: failureEvidence(findings) };
  switch (subject.kind) {
    case "place":
      return frames[0] ? frameLink(subject, frames[0], sources) : [offStackLink(subject, candidate, sources)];
    case "dependency":
      return [{ ...base, kind: "dependency", args: { name: subject.name, code: systemCode(findings) } }];
    case "setting":
      return [
        {
          ...base,
          kind: "setting",
          args: { name: subject.name, where: subject.where, service: base.service },
        },
      ];
    case "input":
      return [{ ...base, kind: "input", args: { name: subject.name, request: requestText(findings) } }];
    default:
      return candidate.service === null || subject.service === base.service
        ? []
        : [{ ...base, kind: "service", service: subject.service, release: null, args: { service: subject.service } }];
  }
}

/** A place on the stack, unless the symptom shows it. */
function frameLink({ file, line, function: name }: PlaceSubject, frame: LocatedFrame, sources: ChainSources): Link[] {
  const { findings, shown } = sources;
  const called = framesInward(findings).filter((one) => one.frame.origin !== "runtime");
  const isThrower = called[0] === frame;
  // The symptom is shown at the innermost own frame.
  const isSymptom = isThrower && !called.slice(1).some((one) => one.frame.origin === "app");
  if (isSymptom || (isThrower && frame.frame.origin === "app")) return [];
  const location = { file, line, function: name };
  const args = {
    place: shownPlace(location, shown),
    isInstalled: isInstalledFrame(frame, findings.files),
    thrown: isThrower ? thrownIn(findings) : null,
    callee: calleeOf(frame, called),
  };
  const evidence = [...frameEvidence(frame, findings), ...failureEvidence(findings)];
  return [{ kind: "frame", args, location, ...ownService(findings), at: null, evidence }];
}

/** Returns what a frame called, of frames from the innermost outward. */
function calleeOf(frame: LocatedFrame, inward: readonly LocatedFrame[]): LinkOf<"frame">["args"]["callee"] {
  const index = inward.indexOf(frame) - 1;
  const callee = inward[index];
  const name = callee ? nameOf(callee) : null;
  return name === null || name === "" ? null : { name, isLast: index === 0 };
}

/** A place that the ranking names, with what ties the failure to it. */
function offStackLink(subject: PlaceSubject, candidate: Candidate, { findings, traced, shown }: ChainSources): Link {
  const { file, line, function: name, source } = subject;
  const location = { file, line, function: name };
  const dependence = dependenceOn(subject, traced);
  const isQuoted = dependence !== null || candidate.observations.some(({ fact }) => fact.kind === "model-finding");
  const code = source && line !== null && isQuoted ? [observeCode(findings, { ...location, line, source })] : [];
  const dependent = dependence ? [observeCode(findings, dependence.dependent)] : [];
  const args = {
    place: shownPlace(location, shown),
    dependence: dependence && { ...dependence, dependent: shownPlace(dependence.dependent, shown) },
    imported: dependence ? null : importBesideStack(subject, traced, shown),
  };
  const evidence = [...code, ...dependent, ...failureEvidence(findings)];
  return { kind: "off-stack", args, location, ...ownService(findings), at: null, evidence };
}

/** Returns whether the trail ends where the error was thrown, which makes its last link the symptom. */
function endsInThrow({ args: { signal } }: LinkOf<"code">, { frames }: Findings): boolean {
  if (kindOf(signal).throws !== "here") return false;
  return frames.some((frame) => frame.file === signal.subject.file && lineOf(frame) === signal.subject.line);
}

/** The last link of a trail that ends in the throw happened when the error did, and is shown by the error. */
function withFailure(
  code: readonly LinkOf<"code">[],
  { findings }: ChainSources,
  isSymptom: boolean,
): LinkOf<"code">[] {
  if (!isSymptom) return [...code];
  return code.map((link, index) =>
    index === code.length - 1
      ? {
          ...link,
          args: { ...link.args, thrown: thrownAt(findings, link.args.signal.subject) },
          at: findings.event?.at ?? null,
          evidence: [...link.evidence, ...failureEvidence(findings)],
        }
      : link,
  );
}

/** What the code where an error was thrown says of it beyond the error: which value was wrong, or under which condition. */
const saysWhy: ReadonlySet<AnyCodeSignal["kind"]> = new Set(["bad-value", "deliberate-throw"]);

/** The observed failure: the error where it was thrown, the alert, or the text. */
function symptom(sources: ChainSources): Link[] {
  const { findings, shown } = sources;
  const { error, event, about } = findings;
  const at = event?.at ?? about?.at ?? null;
  const base = { location: null, ...ownService(findings), at, evidence: failureEvidence(findings) };
  const inner = thrownIn(findings);
  if (!inner && error.alert)
    return [
      {
        ...base,
        kind: "alert",
        args: { alert: error.alert },
        at: error.alert.startedAt ?? at,
        evidence: [observeAlert(findings, error.alert)],
      },
    ];
  if (!inner) return [{ ...base, kind: "text", args: { headline: error.headline, says: saidBy(findings) } }];
  const frames = framesInward(findings).filter((one) => one.frame.origin !== "runtime");
  const frame = frames.find((one) => one.frame.origin === "app") ?? frames[0];
  const location = frame ? { file: frame.file, line: lineOf(frame), function: nameOf(frame) } : null;
  const failed = throwingSignal(sources.traced.signals);
  if (failed && saysWhy.has(failed.kind) && location && isAt(failed, location))
    return withFailure([codeLink(failed, sources)], sources, true);
  const args = {
    ...inner,
    request: requestText(findings),
    place: location && shownPlace(location, shown),
  };
  const served = event ? observeRequest(event) : null;
  const evidence = [...base.evidence, ...(frame ? frameEvidence(frame, findings) : []), ...(served ? [served] : [])];
  return [{ ...base, kind: "failure", location, args, evidence }];
}

/** Returns what a text without an error says: that something failed, by a record, a known failure, or a word; or less. */
function saidBy({ error: { records, headline }, signatures }: Findings): LinkOf<"text">["args"]["says"] {
  const isFailure = records.some(({ level }) => level === "error" || level === "fatal");
  if (isFailure || signatures.length > 0 || telling.test(headline)) return "failure";
  return records.some((one) => one.level === "warn" && !isAdvisory(one)) ? "warning" : "nothing";
}

function isAt({ subject }: AnyCodeSignal, { file, line }: Location): boolean {
  return subject.file === file && subject.line === line;
}

function nameOf({ frame, place }: LocatedFrame): string | null {
  return place?.function ?? frame.function;
}

function withShownPlace(link: Link, shown: ShownPath): Link {
  if (link.kind === "deploy" && link.args.change) {
    const { change } = link.args;
    return { ...link, args: { ...link.args, change: { ...change, place: shownPlace(change.place, shown) } } };
  }
  if (link.kind !== "related-failure" || !link.args.failure.location) return link;
  const { failure } = link.args;
  return { ...link, args: { failure: { ...failure, location: link.location && shownPlace(link.location, shown) } } };
}

/** Removes the times of links that would be later than their effects: those links were seen only later. */
function inOrder(links: readonly Link[]): Link[] {
  let earliest = Number.POSITIVE_INFINITY;
  const ordered = links.toReversed().map((link) => {
    const at = link.at === null ? Number.NaN : Date.parse(link.at);
    if (Number.isNaN(at)) return { ...link, at: null };
    if (at > earliest + clockErrorMs) return { ...link, at: null };
    earliest = Math.min(earliest, at);
    return link;
  });
  return ordered.toReversed();
}
