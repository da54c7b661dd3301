import type { Candidate } from "../rank/candidate.ts";
import type { ValueSource } from "../signals/code/value-sources.ts";
import { type AnyCodeSignal, kindOf } from "../signals/signal.ts";
import type { Traced } from "../trace/traced.ts";

/** Where a value comes from another process, the most telling first. */
const outside: readonly ValueSource[] = ["answer-field", "outside-answer", "awaited-call"];
/** A trail is followed no further: pointers that go round would never end. */
const stepsMax = 50;

/** The way of the failing value through the code that a candidate stands for, from its origin to the throw. */
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

/** The throw, behind what lies on no trail but explains it. */
function siteAfter(own: AnyCodeSignal, signals: readonly AnyCodeSignal[]): AnyCodeSignal[] {
  const site = signals.find(isSite);
  return site && site !== own && !isSite(own) ? [site] : [];
}

/** What was seen where a place on the stack threw. */
function siteIn({ subject }: Candidate, signals: readonly AnyCodeSignal[]): AnyCodeSignal[] {
  const site = signals.find(isSite);
  return site && subject.kind === "place" && site.subject.file === subject.file && site.subject.line === subject.line
    ? [site]
    : [];
}

function isSite(signal: AnyCodeSignal): boolean {
  return signal.steps === 0 && kindOf(signal).throws === "here";
}

/** Where the value of another service or of a setting entered; else where the trail ends. */
function originFor({ subject }: Candidate, signals: readonly AnyCodeSignal[]): AnyCodeSignal | undefined {
  const steps = signals.filter((signal) => signal.kind === "value-step");
  if (subject.kind === "setting")
    return steps.find(
      ({ args }) => (args.how === "environment" || args.how === "setting") && args.name === subject.name,
    );
  const entry = outside.map((how) => steps.find(({ args }) => args.how === how)).find((one) => one !== undefined);
  return entry ?? steps.find(({ isEnd }) => isEnd) ?? signals.find(isSite);
}
