import type { Candidate } from "../rank/candidate.ts";
import type { ValueSource } from "../signals/code/value-sources.ts";
import type { AnyCodeSignal } from "../signals/signal.ts";
import { isThrowing, throwingSignal } from "../signals/throwing-signal.ts";
import type { Traced } from "../trace/traced.ts";

/** Sources in another process, the most telling first. */
const outside: readonly ValueSource[] = ["answer-field", "outside-answer", "awaited-call"];
/** Maximum length of a trail, in case its pointers form a cycle. */
const stepsMax = 50;

/** Returns the path of the failing value through a candidate's code, from its origin to the throw. */
export function trailOf(candidate: Candidate, { signals }: Traced): AnyCodeSignal[] {
  const [own] = candidate.signals;
  if (own) return own.towards ? followed(own) : [own, ...siteAfter(own, signals)];
  if (candidate.subject.kind === "place") return siteIn(candidate, signals);
  const start = originFor(candidate, signals);
  return start ? followed(start) : [];
}

function followed(start: AnyCodeSignal): AnyCodeSignal[] {
  const trail: AnyCodeSignal[] = [];
  let here: AnyCodeSignal | null = start;
  while (here && trail.length < stepsMax && !trail.includes(here)) {
    trail.push(here);
    here = here.towards;
  }
  return trail;
}

/** Returns the throw, after a signal that isn't on a trail but explains it. */
function siteAfter(own: AnyCodeSignal, signals: readonly AnyCodeSignal[]): AnyCodeSignal[] {
  const site = throwingSignal(signals);
  return site && site !== own && !isThrowing(own) ? [site] : [];
}

/** Returns the signals at the throw in a place on the stack. */
function siteIn({ subject }: Candidate, signals: readonly AnyCodeSignal[]): AnyCodeSignal[] {
  const site = throwingSignal(signals);
  return site && subject.kind === "place" && site.subject.file === subject.file && site.subject.line === subject.line
    ? [site]
    : [];
}

/** Returns where the value of another service or of a setting entered, or else the end of the trail. */
function originFor({ subject }: Candidate, signals: readonly AnyCodeSignal[]): AnyCodeSignal | undefined {
  const steps = signals.filter((signal) => signal.kind === "value-step");
  if (subject.kind === "setting")
    return steps.find(
      ({ args }) => (args.how === "environment" || args.how === "setting") && args.name === subject.name,
    );
  const entry = outside.map((how) => steps.find(({ args }) => args.how === how)).find((one) => one !== undefined);
  return entry ?? steps.find(({ isEnd }) => isEnd) ?? throwingSignal(signals);
}
