import { dayMs, type FailureWatch, hourMs, type Prediction } from "@whence/protocol";
import { capital, sentence } from "../words/prose.ts";
import { knownFailure } from "./known-failure.ts";
import type { LinkOf } from "./link.ts";
import type { PredictionWords } from "./messages/predictions.ts";
import { isInstalledPlace, subjectNoun } from "./nouns.ts";
import { isExpectedOf } from "./predictions/kinds.ts";
import { predictExit } from "./predictions/process-exit.ts";
import { watchesOf } from "./predictions/watches.ts";
import { watchWords } from "./predictions/words.ts";
import type { ChainedCandidate, ReportInput } from "./report-input.ts";

const rivalRank = 2;

/** How long each kind is watched: as long as the awaited event may take. */
const watchedMs: Readonly<Record<FailureWatch["kind"], number>> = {
  "memory-climbs": 6 * hourMs,
  "failure-continues": dayMs,
  "only-in-release": dayMs,
  "only-with-failed-call": dayMs,
  "only-on-route": dayMs,
  "only-on-host": dayMs,
  // Outages end within days, processes are restarted within a week, and releases may take two.
  "stops-with-recovery": 3 * dayMs,
  "restart-keeps": 7 * dayMs,
  "restart-clears": 7 * dayMs,
  "stops-with-release": 14 * dayMs,
};

/**
 * Returns what should be seen if the first candidate is right. If there is a second one, at least one of the
 * predictions doesn't hold for it, and says so.
 */
export function predict(input: ReportInput): Prediction[] {
  const { findings, candidates } = input;
  if (findings.exit) return predictExit(findings.exit, input);
  const [first, rival] = candidates;
  if (!first) return [];
  const from = new Date(input.now).toISOString();
  const watched = watchesOf(first.candidate, findings, from).map((watch) => {
    const isDiscriminating = rival !== undefined && !isExpectedOf(rival.candidate, watch.kind, findings);
    return watchedPrediction(watch, isDiscriminating, input);
  });
  const isApart = watched.some(({ tells_apart_from: apart }) => apart !== undefined);
  const apart = rival && !isApart ? byChanging(first, rival, input) : [];
  const unwatched = watched.length === 0 && apart.length === 0 ? byRepeating(first, input) : [];
  return [...known(input), ...watched, ...apart, ...unwatched];
}

function watchedPrediction(watch: FailureWatch, isDiscriminating: boolean, { now, messages }: ReportInput): Prediction {
  const { statement, check, refuted_by } = watchWords(watch, messages);
  return {
    statement: isDiscriminating ? `${statement} ${messages.checks.notByRival()}` : statement,
    check,
    refuted_by,
    ...(isDiscriminating ? { tells_apart_from: rivalRank } : {}),
    watch,
    due: new Date(now + watchedMs[watch.kind]).toISOString(),
    outcome: "open",
  };
}

/** The signature's own test, for a person to do. */
function known({ findings, messages }: ReportInput): Prediction[] {
  const [match] = findings.signatures;
  if (!match) return [];
  const { confirmedBy, ruledOutBy } = knownFailure(match, findings);
  if (confirmedBy === null || ruledOutBy === null) return [];
  return [openEnded(messages.checks.known(confirmedBy, capital(ruledOutBy)))];
}

/** Distinguishes two causes that telemetry can't tell apart by changing what a person can change, or by waiting. */
function byChanging(first: ChainedCandidate, rival: ChainedCandidate, input: ReportInput): Prediction[] {
  const { checks } = input.messages;
  const [one, other] = [changeable(first, input), changeable(rival, input)];
  const [isThrown, isOtherThrown] = [first, rival].map(isWhereThrown);
  const words =
    one !== null && isThrown
      ? checks.startsHere(one)
      : one !== null && other !== null && !isOtherThrown
        ? checks.changeOne(one, other)
        : one === null && other !== null && !hasRecovery(first)
          ? checks.changeOther(other)
          : changing(first, input);
  if (!words) return [];
  const { statement, ...rest } = words;
  const apart = openEnded({ statement: `${statement} ${checks.notByRival()}`, ...rest });
  return [{ ...apart, tells_apart_from: rivalRank }];
}

function byRepeating(first: ChainedCandidate, input: ReportInput): Prediction[] {
  const words = changing(first, input);
  return words ? [openEnded(words)] : [];
}

/** Returns whether a cause is no more than the place that threw: a change there may only hide the failure. */
function isWhereThrown({ candidate: { subject }, chain }: ChainedCandidate): boolean {
  const thrown = chain.at(-1)?.location;
  return subject.kind === "place" && thrown?.file === subject.file && thrown.line === subject.line;
}

/** Returns what is seen when the cause is changed, or recovers; null for what no one changes, such as a package. */
function changing(one: ChainedCandidate, input: ReportInput): PredictionWords | null {
  const { checks, noun } = input.messages;
  const { subject } = one.candidate;
  if (subject.kind === "dependency") return checks.recovers(noun(subject.name));
  const name = changeable(one, input);
  return name === null ? null : checks.changeIt(name);
}

function hasRecovery({ candidate }: ChainedCandidate): boolean {
  return candidate.subject.kind === "dependency";
}

/** Returns the name of a cause that a person can change: own code, a release, or a setting. */
function changeable({ candidate, chain }: ChainedCandidate, { findings, messages, shown }: ReportInput): string | null {
  const { subject, frames } = candidate;
  if (subject.kind === "dependency" || subject.kind === "input") return null;
  if (subject.kind === "place" && isInstalledPlace(subject.file, frames, findings.files)) return null;
  const [origin] = chain;
  // Which of the entries was read isn't known.
  if (subject.kind === "place" && origin?.kind === "code" && isOneOf(origin)) return messages.noun(shown(subject.file));
  return subjectNoun(candidate, messages, shown);
}

function isOneOf({ args: { signal } }: LinkOf<"code">): boolean {
  return signal.kind === "value-step" && signal.args.isOneOf === true;
}

function openEnded({ statement, ...words }: PredictionWords): Prediction {
  return { statement: sentence(statement), ...words, due: null, outcome: "open" };
}
