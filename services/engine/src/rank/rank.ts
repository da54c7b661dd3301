import type { Findings } from "../findings/findings.ts";
import { ofKind, type Seen } from "../findings/of-kind.ts";
import type { OrganizationHistory } from "../findings/organization-history.ts";
import type { SignatureMatch } from "../findings/signature.ts";
import { type FailureContext, failureContextOf, ownServiceOf } from "../outside/failure-context.ts";
import { isFromModel } from "../signals/fact.ts";
import type { ProposedSubject } from "../signals/facts/model-finding.ts";
import { type AnyCodeSignal, isOrigin, namedFile } from "../signals/signal.ts";
import type { SourceText } from "../source/source-text.ts";
import type { Traced } from "../trace/traced.ts";
import { type Agreement, agreementOf } from "./agreement.ts";
import { bareStackOf } from "./bare-stack.ts";
import type { Candidate, Ranking } from "./candidate.ts";
import { competitionFactor } from "./competing-errors.ts";
import { confidenceOf } from "./confidence.ts";
import { placeOf } from "./decisive-signals.ts";
import { exitSuspects } from "./exit-suspects.ts";
import { type CategoryEvidence, categoryAt, categoryOfError } from "./failure-category.ts";
import type { RankingModel } from "./model.ts";
import { isSame, withModelFindings } from "./model-findings.ts";
import { withLogs } from "./outside-logs.ts";
import { isUnled } from "./rank-files.ts";
import { type RankedPlace, rankPlaces } from "./rank-places.ts";
import { isRefusedData } from "./refused-data.ts";
import { refutedKept, withSeen } from "./seen-places.ts";
import type { ServiceModel, ServiceWeights } from "./service-model.ts";
import type { Suspect } from "./suspect.ts";
import { findSuspects } from "./suspects.ts";

/** Maximum candidates of a report; less likely places tell a reader nothing. */
const candidatesMax = 8;
const probabilityMin = 0.01;
/** And of files that nothing leads to: what they have in common with the failure may be their names. */
const unledProbabilityMin = 0.02;
/** Signals within this distance of the place are about it. */
const linesApart = 3;
/** From this weight on, telemetry about the failing service determines the category of the failure. */
const tellingWeight = 0.75;

/** The models that rank: files and their places, and services. */
export interface RankingModels {
  readonly files: RankingModel;
  readonly services: ServiceModel;
}

/**
 * Ranks every possible cause. Places in code are ranked by one learned model, services and releases by another, and the
 * ways in which a process may have ended by its heartbeats. Evidence against another service lowers the probability of
 * this one's code by as much. What a language model says changes no first candidate; the agreement of
 * its runs moves the confidence.
 */
export function rank(
  findings: Findings,
  traced: Traced,
  models: RankingModels,
  history: OrganizationHistory | undefined,
): Ranking {
  const { error, exit, signatures, files } = findings;
  const { weights, calibration } = models.services;
  const evidence = categoryEvidenceOf(findings, traced);
  const context = failureContextOf(findings);
  const { own, elsewhere } = suspectsOf(findings, evidence, context, weights);
  const left = 1 - Math.max(0, ...elsewhere.map(({ weight }) => weight));
  const ranked = exit ? [] : rankPlaces(findings, traced, files, models.files);
  const places = ranked
    .filter(({ view, subject, probability }) => {
      if (isUnled(view) && isEmptyCode(subject, traced)) return false;
      const least = isUnled(view) ? unledProbabilityMin : probabilityMin;
      // What was likely enough before it was refuted is still named.
      const isRefuted = findings.verdicts?.of(subject)?.seen === "refuted";
      return probability * left >= (isRefuted ? least * refutedKept : least);
    })
    .map((place) => beside(own, placeCandidate(place, left, findings, traced, evidence)));
  const alone = places.length === 0 ? [...own, ...elsewhere] : elsewhere;
  const others = alone.map((suspect) => suspectCandidate(suspect, signatures[0] ?? null));
  const suspected = [...places, ...(exit ? withBlockingCode(others, traced) : others)];
  const engines = [...suspected, ...ownFailure(suspected, findings, evidence, weights.telemetry.knownFailure * left)];
  const itself = engines.length === 0 ? failureItself(findings, evidence) : null;
  const byEngine = (itself ? [itself] : engines)
    .toSorted((one, other) => other.probability - one.probability)
    .slice(0, candidatesMax);
  const known = withModelFindings(byEngine, findings.observations, (subject, seen) =>
    proposedCandidate(subject, seen, { findings, traced, evidence }),
  );
  const isForgeable = error.unread.some(({ kind }) => kind === "forgeable-text");
  const knownFrom = exit ? "heartbeats" : context.isAnnounced ? "announcement" : "error";
  const reservations = {
    competition: competitionFactor(error),
    isForgeable,
    bareStack: bareStackOf(traced.frames, byEngine[0]),
    isRefusedData: isRefusedData(byEngine[0], traced.frames),
    isCycleOpen: traced.outOfSight.some(({ kind }) => kind === "no-import-cycle"),
    knownFrom,
    calibration,
    agreement: agreementWith(byEngine[0], findings),
  } as const;
  return {
    candidates: withLogs(known.slice(0, candidatesMax), findings),
    // How often reports on errors were right says nothing about process exits; a model, nothing about the order.
    confidence: confidenceOf(byEngine, exit ? undefined : history, reservations),
  };
}

/** Returns whether a file for code has none, such as what marks a folder as a package. */
function isEmptyCode({ source }: RankedPlace["subject"], { files }: Traced): boolean {
  return source?.text.trim() === "" && files.some((file) => file.source === source);
}

/** Returns how what a language model names first relates to a candidate; null where it says nothing. */
function agreementWith(candidate: Candidate | undefined, { observations }: Findings): Agreement | null {
  if (!candidate) return null;
  const said = ofKind(observations, "model-finding").map(({ fact }) => fact.finding);
  return agreementOf(said, (subject) => isSame(candidate.subject, subject));
}

/** Returns the evidence for the category of a failure. */
export function categoryEvidenceOf(findings: Findings, { signals }: Traced): CategoryEvidence {
  return { said: categoryOfError(findings), event: findings.event, signals };
}

/** The suspects: the failing service itself, and others. */
interface Suspects {
  readonly own: readonly Suspect[];
  readonly elsewhere: readonly Suspect[];
}

/**
 * Returns what telemetry and third parties make suspect: how a process ended, or services, releases, and dependencies.
 */
export function suspectsOf(
  { event, about, exit, observations, changes = [], verdicts }: Findings,
  evidence: CategoryEvidence,
  context: FailureContext,
  weights: ServiceWeights,
): Suspects {
  const confirmed = (suspect: Suspect): Suspect => withSeen(suspect, verdicts);
  const own = event?.service ?? about?.service ?? null;
  const suspects = exit
    ? exitSuspects(exit, observations, context)
    : own === null
      ? []
      : findSuspects({ ...evidence, context, own, observations, changes }, weights);
  const { here = [], elsewhere = [] } = Object.groupBy(suspects.map(confirmed), (suspect) =>
    isElsewhere(suspect, own) ? "elsewhere" : "here",
  );
  return { own: here, elsewhere };
}

/** Returns whether a suspect is something other than the failing service's own code. */
function isElsewhere({ service, subject }: Suspect, own: string | null): boolean {
  return subject.kind === "dependency" || service !== own;
}

/** Returns a candidate for what only a language model names. */
function proposedCandidate(
  subject: Exclude<ProposedSubject, { readonly kind: "setting" }>,
  seen: Seen<"model-finding">,
  { findings, traced, evidence }: Ranked,
): Candidate {
  const { category } = seen.fact.finding;
  if (subject.kind === "place") {
    const source = sourceOf(subject.file, findings);
    const found = placeCandidate({ subject: { ...subject, source }, probability: 0 }, 1, findings, traced, evidence);
    const known = found.category === "unknown" ? category : found.category;
    return { ...found, category: known, observations: [seen] };
  }
  const nothing = { probability: 0, signals: [], frames: [], signature: null } as const;
  return { ...nothing, subject, service: subject.service, category, observations: [seen] };
}

/** What a candidate is made from. */
interface Ranked {
  readonly findings: Findings;
  readonly traced: Traced;
  readonly evidence: CategoryEvidence;
}

function sourceOf(file: string, { files, readByModel = [], frames }: Findings): SourceText | null {
  const given = [...files, ...readByModel].find(({ name }) => name === file);
  return given ?? frames.find((one) => one.file === file && one.place)?.place?.source ?? null;
}

function placeCandidate(
  { subject, probability }: Pick<RankedPlace, "subject" | "probability">,
  left: number,
  findings: Findings,
  { signals, frames }: Traced,
  evidence: CategoryEvidence,
): Candidate {
  const inFile = signals
    .filter((signal) => placeOf(signal).file === subject.file)
    .toSorted(
      (left, right) =>
        distance(left, subject) - distance(right, subject) ||
        Number(explains(right)) - Number(explains(left)) ||
        right.steps - left.steps,
    );
  const verdict = findings.verdicts?.of(subject);
  const missing = verdict ? null : findings.verdicts?.missingAt(subject);
  const near = inFile.filter((signal) => namedFile(signal) !== null || distance(signal, subject) <= linesApart);
  return {
    subject,
    service: ownServiceOf(findings),
    category: categoryAt(near, evidence),
    probability: probability * left,
    signals: near,
    frames: frames.filter(({ file }) => file === subject.file),
    observations: verdict?.seen === "confirmed" ? [verdict.observation] : missing ? [missing] : [],
    signature: findings.signatures[0] ?? null,
  };
}

/** Returns whether a signal shows what is wrong at its place, not only that the value passed through. */
function explains(signal: AnyCodeSignal): boolean {
  return signal.kind !== "value-step" && isOrigin(signal);
}

/** Returns the number of lines between a signal and a place; larger than any distance when the place has no line. */
function distance({ subject }: AnyCodeSignal, { line }: RankedPlace["subject"]): number {
  return line === null ? Number.POSITIVE_INFINITY : Math.abs(subject.line - line);
}

/** Adds what telemetry shows about the failing service to a candidate in its code. */
function beside(own: readonly Suspect[], candidate: Candidate): Candidate {
  const telling = own.find(({ weight }) => weight >= tellingWeight);
  return {
    ...candidate,
    category: telling?.category ?? candidate.category,
    observations: [...candidate.observations, ...own.flatMap(({ observations }) => observations)],
  };
}

/** Puts the code that kept a hung process busy in place of the process. */
function withBlockingCode(candidates: readonly Candidate[], { signals, frames }: Traced): Candidate[] {
  const [first] = signals;
  return candidates.map((candidate) => {
    const isHung = candidate.observations.some(({ fact }) => fact.kind === "main-thread");
    if (!first || !isHung) return candidate;
    const { subject } = first;
    return { ...candidate, subject, signals, frames: frames.filter(({ file }) => file === subject.file) };
  });
}

function suspectCandidate(
  { subject, service, category, weight, observations }: Suspect,
  signature: SignatureMatch | null,
): Candidate {
  return { subject, service, category, probability: weight, signals: [], frames: [], observations, signature };
}

/** An address next to the code of a system error: `ECONNREFUSED 10.0.0.9:5432`. */
const refusedAddress = /\bE[A-Z]{4,}\b[^\d\n]{0,20}((?:\d{1,3}\.){3}\d{1,3}:\d{1,5})/;

/**
 * A known failure of a service without code or telemetry here, which weak evidence against others must not outweigh.
 */
function ownFailure(
  suspected: readonly Candidate[],
  findings: Findings,
  evidence: CategoryEvidence,
  probability: number,
): Candidate[] {
  const itself = failureItself(findings, evidence);
  if (suspected.length === 0 || itself.signature === null) return [];
  if (suspected.some(({ service }) => service === itself.service)) return [];
  return [{ ...itself, probability }];
}

/** The candidate when only the text is known. */
function failureItself(findings: Findings, evidence: CategoryEvidence): Candidate {
  const { error, signatures, observations } = findings;
  const service = ownServiceOf(findings);
  const address = refusedAddress.exec(error.headline)?.[1];
  return {
    subject:
      address === undefined ? { kind: "service", service: service ?? "" } : { kind: "dependency", name: address },
    service,
    category: evidence.said,
    probability: 0,
    signals: [],
    frames: [],
    // Related findings of third parties make a suspect of their own.
    observations: observations.filter(({ fact }) => fact.kind !== "outside" && !isFromModel(fact)),
    signature: signatures[0] ?? null,
  };
}
