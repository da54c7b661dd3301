import type { Findings } from "../findings/findings.ts";
import type { ParsedError } from "../findings/parsed-error.ts";
import type { Candidate } from "../rank/candidate.ts";
import type { ValueSource } from "../signals/code/value-sources.ts";
import type { AnyCodeSignal, CodeSignal } from "../signals/signal.ts";
import { isThrowing, throwingSignal } from "../signals/throwing-signal.ts";
import type { Traced } from "../trace/traced.ts";

/** Sources in another process, the most telling first. */
const outside: readonly ValueSource[] = ["answer-field", "outside-answer", "awaited-call"];
/** Maximum length of a trail, in case its pointers form a cycle. */
const stepsMax = 50;

/**
 * Returns the path of the failing value through a candidate's code, from its origin to the throw. Of several texts on a
 * line, it starts at the one that the error names.
 */
export function trailOf(
  candidate: Candidate,
  { signals }: Traced,
  { error }: Pick<Findings, "error">,
): AnyCodeSignal[] {
  const own = namedIn(candidate.signals, error);
  if (own) return own.towards ? followed(own) : [own, ...siteAfter(own, signals)];
  if (candidate.subject.kind === "place") return siteIn(candidate, signals);
  const start = originFor(candidate, signals);
  return start ? followed(start) : [];
}

/** Returns the first signal, or the text on its line that has more of the error's words. */
function namedIn(signals: readonly AnyCodeSignal[], { chain, exceptions }: ParsedError): AnyCodeSignal | undefined {
  // Of an overflowed stack, the recursion says more than the values that went around in it.
  const of = (wanted: AnyCodeSignal["kind"]): AnyCodeSignal | undefined => signals.find(({ kind }) => kind === wanted);
  const first = of("own-event") ?? of("recursion") ?? signals[0];
  if (!first || !isText(first)) return first;
  const said = new Set(chain.flatMap((index) => namesIn(exceptions[index]?.message ?? "")));
  const known = (signal: AnyCodeSignal): number => (isText(signal) ? longestOf(namesIn(signal.args.code), said) : 0);
  const others = signals.filter(
    ({ subject }) => subject.file === first.subject.file && subject.line === first.subject.line,
  );
  return others.reduce((best, one) => (known(one) > known(best) ? one : best), first);
}

function isText(signal: AnyCodeSignal): signal is CodeSignal<"value-step"> {
  return signal.kind === "value-step" && signal.args.how === "literal";
}

/** Shorter words are in most messages. */
const nameUnitsMin = 4;
const messageUnitsRead = 2_000;

function namesIn(text: string): string[] {
  return (
    text
      .slice(0, messageUnitsRead)
      .match(/[A-Za-z_$][\w$-]*/g)
      ?.filter(({ length }) => length >= nameUnitsMin) ?? []
  );
}

function longestOf(names: readonly string[], said: ReadonlySet<string>): number {
  return Math.max(0, ...names.filter((name) => said.has(name)).map(({ length }) => length));
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
