import type { Hit } from "@whence/protocol";
import type { TellingChange } from "../changes/telling-changes.ts";
import type { ParsedInput } from "../findings/findings.ts";
import type { InvestigationSubject } from "../findings/investigation-subject.ts";
import type { Observation } from "../findings/observation.ts";
import type { SeenPlaces, Verdict } from "../findings/verdict.ts";
import type { Fact } from "../signals/fact.ts";
import type { PlaceSubject, Subject } from "../signals/subject.ts";
import { throwingSignal } from "../signals/throwing-signal.ts";
import type { Traced } from "../trace/traced.ts";
import { type ChangedOrigin, changedOriginOf } from "./changed-origin.ts";
import type { CodeUnit } from "./code-at.ts";
import { observeInTest, type RanInTest, suspectOf } from "./failed-test.ts";
import { observeFunction } from "./observe-function.ts";
import { observeMissing } from "./observe-missing.ts";
import { type SeenFunction, SeenFunctions } from "./seen-functions.ts";
import { SeenTrail } from "./seen-trail.ts";
import { type UnpassedArgument, unpassedArgumentOf } from "./unpassed-argument.ts";
import { watchedEventOf } from "./watched-event.ts";
import { watchedFailureOf } from "./watched-failure.ts";

/** A value that may hold others, or that decides what is done. */
const mayMatter = /^[{[]|^(?:true|false)$/i;

/** What watched runs, or the running program, decide about the functions that may contain the cause. */
export class Verdicts implements SeenPlaces {
  readonly seen: SeenFunctions;
  /** The function in which the failing value was seen first; null where none is, or several are. */
  readonly origin: SeenFunction | null;
  /** The call that left out the argument which failed; null where none is seen, or the origin is. */
  readonly unpassed: UnpassedArgument | null;

  /** The release that explains what was seen; null where none does, or the value was lost elsewhere. */
  readonly changed: ChangedOrigin | null;

  readonly #ranInTest: RanInTest | null;
  readonly #trail: SeenTrail;
  readonly #site: PlaceSubject | null;
  readonly #observedAt: string;

  /** `observedAt` is the time of the failure, RFC 3339; `changes` are those of releases. */
  constructor(
    traced: Pick<Traced, "signals" | "files">,
    seen: SeenFunctions,
    observedAt: string,
    changes: readonly TellingChange[],
  ) {
    this.seen = seen;
    this.origin = originIn(seen);
    this.unpassed = this.origin ? null : unpassedArgumentOf(traced, seen);
    this.#ranInTest = this.origin || this.unpassed ? null : suspectOf(seen);
    this.#trail = new SeenTrail(traced.signals, seen);
    this.changed = this.origin || this.unpassed ? null : changedOriginOf(traced.signals, changes, this.#trail);
    this.#site = throwingSignal(traced.signals)?.subject ?? null;
    this.#observedAt = observedAt;
  }

  /** Whether the value was seen to come from outside. */
  get isFromOutside(): boolean {
    return this.#trail.outside !== null;
  }

  /** The place in {@link origin} that returned the failing value, or the line that a release wrote. */
  get originPlace(): PlaceSubject | null {
    if (this.changed?.how === "wrote") return this.#site;
    const { returned, at } = this.origin ?? {};
    if (!returned || !at) return null;
    return { kind: "place", file: at.file, line: returned.line, function: at.function?.name ?? null, source: null };
  }

  /** The line of {@link unpassed}, or the function that a failing test ran and that most likely fails it. */
  get likelyPlace(): PlaceSubject | null {
    const { at } = this.#ranInTest ?? {};
    if (at) return { kind: "place", file: at.file, line: at.starts, function: at.function?.name ?? null, source: null };
    const { file, line } = this.unpassed?.caller ?? {};
    if (file === undefined || line === undefined) return null;
    const name = this.seen.code.around(file, line)?.function?.name ?? null;
    return { kind: "place", file, line, function: name, source: null };
  }

  isLikely({ file, line }: Pick<PlaceSubject, "file" | "line">): boolean {
    return line !== null && this.#ranInTest !== null && this.seen.code.around(file, line) === this.#ranInTest.at;
  }

  /**
   * The stop from which the calls of the failing run are to be followed: where the call began that got the failing value
   * other than as an argument. Null where that isn't known, or the origin is.
   */
  get followFrom(): Hit | null {
    const call = this.seen.holding.at(-1);
    return this.origin || !this.seen.value || !call ? null : this.seen.beginOf(call);
  }

  /** Returns what was seen of a place; null where that decides nothing. */
  of({ file, line }: Pick<PlaceSubject, "file" | "line">): Verdict | null {
    const at = line === null ? null : this.seen.code.around(file, line);
    if (this.changed?.how === "wrote" && at === this.changed.step.at) return this.#confirmedBy(this.changed);
    const known = this.seen.of(at);
    if (!known) return null;
    const isOrigin = known === this.origin;
    const { outside, first } = this.#trail;
    const missing =
      (outside && this.#trail.isHandedOn(known.at) && { ...outside.step, outside: outside.from }) ||
      (this.#isLater(known) && first);
    if (!isOrigin && !missing && !this.#isRefuted(known)) return null;
    if (missing) return { seen: "refuted", observation: this.#missing(missing) };
    return {
      seen: isOrigin ? "confirmed" : "refuted",
      observation: observeFunction(known, this.seen.failure, this.#observedAt),
    };
  }

  about(subject: Subject): Verdict | null {
    if (subject.kind === "place") return this.of(subject);
    if (this.changed?.how !== "took-away" || (subject.kind !== "release" && subject.kind !== "service")) return null;
    const { service, release } = this.changed.change.deploy;
    const isIt = subject.service === service && (subject.kind === "service" || subject.release === release);
    return isIt ? this.#confirmedBy(this.changed) : null;
  }

  missingAt({ file, line }: Pick<PlaceSubject, "file" | "line">): Observation | null {
    const at = line === null ? null : this.seen.code.around(file, line);
    if (this.unpassed && at === this.#unpassedBy) return this.#missing(this.unpassed);
    if (this.#ranInTest && at === this.#ranInTest.at)
      return observeInTest(this.#ranInTest, this.seen.failure, this.#observedAt);
    const { first, outside } = this.#trail;
    if (!at || !first || !this.#trail.isMissingIn(at)) return null;
    return this.#missing(outside ? { ...outside.step, outside: outside.from } : first);
  }

  #confirmedBy({ change, step, how }: ChangedOrigin): Verdict {
    const { service, release } = change.deploy;
    const outside = this.#trail.outside?.from ?? null;
    return {
      seen: "confirmed",
      observation: this.#missing({ ...step, outside, changedBy: { service, release, how } }),
    };
  }

  #missing(missing: Parameters<typeof observeMissing>[0]): Observation<Fact<"observed">> {
    return observeMissing(missing, this.seen.failure, this.#observedAt);
  }

  #isAtThrow(text: string | undefined): boolean {
    return this.seen.failure.thrown.some(({ values }) => Object.values(values).some((value) => value === text));
  }

  get #unpassedBy(): CodeUnit | null {
    return this.unpassed && this.seen.code.ran(this.unpassed.caller);
  }

  /** In production, a function that ran only once another one had been called with the missing value. */
  #isLater({ at, isWatched }: SeenFunction): boolean {
    return this.seen.isInProduction && isWatched && at !== this.#unpassedBy && this.#trail.isLater(at);
  }

  /**
   * A function that didn't run, or that returned another value than the one that failed, and none that led to it: an
   * object that may hold it, a condition, a key that the calls of the throw have. What a field lacks, any of them may
   * have left out. In production, an earlier request may have kept the result that failed, so only a result that the
   * failing line uses counts; unless the value was seen to come from outside.
   */
  #isRefuted(known: SeenFunction): boolean {
    const { at, isUnreached, isComplete, returned, isFailing, hasFailed } = known;
    // The code of a module ran once it was loaded.
    if (at.function === null || this.seen.isOnStack(at) || at === this.#unpassedBy) return false;
    const { isInProduction, value } = this.seen;
    if (isUnreached) return (!isInProduction || this.#trail.isBeside(at)) && !this.seen.hasCalled(at);
    if (value?.field !== null || !isComplete || returned === null || isFailing) return false;
    // What failed may have been taken from it, or found by it.
    if (mayMatter.test(returned.returned ?? "") || this.#isAtThrow(returned.returned)) return false;
    if (!isInProduction) return true;
    return !hasFailed && this.seen.uses.some((use) => this.seen.isResultUsed(use, known));
  }
}

/** Returns what watched runs, or later events, decide; null when the failure wasn't seen in any. */
export function verdictsOf(
  { input }: Pick<InvestigationSubject, "input">,
  findings: Pick<ParsedInput, "error" | "observedAt">,
  traced: Traced,
  changes: readonly TellingChange[] = [],
): Verdicts | null {
  if (input.kind === "event") return inProduction(input, findings, traced, changes);
  const failure = input.kind === "text" && input.observed ? watchedFailureOf(input.observed, findings) : null;
  return failure && new Verdicts(traced, new SeenFunctions(traced, failure), findings.observedAt, changes);
}

/**
 * Returns what the last event decides that shows the origin, or that the value came from outside, or else the last one;
 * nothing where they disagree.
 */
function inProduction(
  { watched = [], host }: Extract<InvestigationSubject["input"], { readonly kind: "event" }>,
  findings: Pick<ParsedInput, "error">,
  traced: Traced,
  changes: readonly TellingChange[],
): Verdicts | null {
  const seen = watched.toReversed().flatMap((one) => {
    const failure = watchedEventOf(one, findings, traced, host.runtime.name);
    return failure ? [new Verdicts(traced, new SeenFunctions(traced, failure), one.event.timestamp, changes)] : [];
  });
  const origins = seen.flatMap(({ originPlace }) => originPlace ?? []);
  const [origin] = origins;
  if (!origin) return seen.find(({ isFromOutside }) => isFromOutside) ?? seen[0] ?? null;
  const isAgreed =
    origins.every(({ file, function: name }) => file === origin.file && name === origin.function) &&
    seen.every((one) => one.of(origin)?.seen !== "refuted");
  return isAgreed ? (seen.find(({ originPlace }) => originPlace !== null) ?? null) : null;
}

/** Follows the failing value from the calls of the throw that had it, through the calls that returned it. */
function originIn(seen: SeenFunctions): SeenFunction | null {
  const begin = seen.holding.map((call) => seen.beginOf(call)).findLast((hit) => hit !== null);
  const reached = { value: new Set<CodeUnit>(), object: new Set<CodeUnit>(), field: new Set<CodeUnit>() };
  const ends = new Set<SeenFunction>();
  const passed = new Set<SeenFunction>();
  const queue = [...seen.uses];
  for (let use = queue.shift(); use !== undefined; use = queue.shift()) {
    const { at, of } = use;
    if (reached[of].has(at)) continue;
    reached[of].add(at);
    // What returned before the call began isn't what it got.
    const handed = seen.handedBy(use).filter(({ returned }) => !begin || (returned?.at_ms ?? 0) >= begin.at_ms);
    for (const one of handed) {
      passed.add(one);
      queue.push(...seen.usesBefore(one));
    }
    const own = seen.of(at);
    const isPassedOn = own?.returned ? seen.isHanded(at, own.returned) : true;
    if (of === "value" && handed.length === 0 && own?.isFailing && !isPassedOn && hasReturned(own, seen)) ends.add(own);
  }
  const [only, ...others] = ends;
  // A lookup that finds what other calls ask for is as it should be: what it was asked for, or its table, isn't.
  if (!only || others.length > 0 || only.hasWorked) return null;
  return !seen.isInProduction || isCertain(only, passed, seen) ? only : null;
}

/** Few places are watched in production: whatever may have handed the value on must be among them, each return known. */
function isCertain({ at }: SeenFunction, passed: ReadonlySet<SeenFunction>, seen: SeenFunctions): boolean {
  const calls = at.function?.calls ?? [];
  const called = calls.flatMap((name) => seen.code.named(name)).map((one) => seen.of(one));
  return at.function !== null && [...passed, ...called].every((one) => one?.isComplete);
}

/** A call on the stack of the throw hasn't returned: what an earlier call of its function did tells nothing about it. */
function hasReturned({ at, returned }: SeenFunction, seen: SeenFunctions): boolean {
  if (!seen.isOnStack(at)) return true;
  const [caller] = returned?.callers ?? [];
  return caller !== undefined && seen.code.ran(caller) === at;
}
