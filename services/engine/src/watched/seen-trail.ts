import type { Hit } from "@whence/protocol";
import type { ValueSource } from "../signals/code/value-sources.ts";
import type { AnyCodeSignal } from "../signals/signal.ts";
import type { CodeUnit } from "./code-at.ts";
import type { SeenFunctions } from "./seen-functions.ts";
import { isPassedInside, valueAt } from "./value-route.ts";
import { presenceOf } from "./written-value.ts";

/** A step of the failing value's trail at which the value was read. */
export interface SeenStep {
  readonly signal: AnyCodeSignal;
  readonly at: CodeUnit;
  /** The stop at which it was read. */
  readonly hit: Hit;
  /** The expression that has it. */
  readonly name: string;
  readonly presence: "missing" | "there";
}

/** Steps at which a value comes from outside of the program. */
const sources: ReadonlyMap<ValueSource, SeenOutside["from"]> = new Map([
  ["incoming-body", "request"],
  ["outside-answer", "answer"],
]);

/** Where the failing value came from outside of the program, and what it was missing from there. */
export interface SeenOutside {
  readonly from: "request" | "answer";
  /** The first step in the program at which it was missing. */
  readonly step: SeenStep;
  /** The function that read it. */
  readonly at: CodeUnit | null;
}

/** The trail of the failing value, as the code shows it, with what was seen of the value along it. */
export class SeenTrail {
  readonly #seen: SeenFunctions;
  readonly #signals: readonly AnyCodeSignal[];
  readonly #steps = new Map<AnyCodeSignal, SeenStep>();
  /** The step farthest from the throw at which the value was missing; null where none was seen. */
  readonly first: SeenStep | null;
  /** Where it came from outside, seen at each step from there on; null where that wasn't seen. */
  readonly outside: SeenOutside | null;

  constructor(signals: readonly AnyCodeSignal[], seen: SeenFunctions) {
    this.#seen = seen;
    this.#signals = signals;
    for (const signal of signals) {
      const step = this.#stepAt(signal);
      if (step) this.#steps.set(signal, step);
    }
    const missing = [...this.#steps.values()].filter((step) => this.#isMissing(step));
    this.first = missing.toSorted((one, other) => other.signal.steps - one.signal.steps)[0] ?? null;
    this.outside = signals.map((signal) => this.#outsideAt(signal)).find((found) => found !== null) ?? null;
  }

  /** Returns the step at a signal if the value was missing there, and at each nearer to the throw. */
  missingAt(signal: AnyCodeSignal): SeenStep | null {
    const step = this.#steps.get(signal);
    return step && this.#isMissing(step) ? step : null;
  }

  /** Whether a function passed on what came from outside without the value, and doesn't name the value itself. */
  isHandedOn(at: CodeUnit): boolean {
    const { outside } = this;
    const [thrown] = this.#seen.failure.thrown;
    if (!outside || at === outside.at || at === this.#seen.code.ran(thrown)) return false;
    const own = this.#signals.filter((signal) => this.#unitOf(signal) === at);
    return own.length > 0 && own.every((signal) => isPassedInside(signal) && this.missingAt(signal) !== null);
  }

  /** Whether the value came from outside, and not through a function, as the code shows. */
  isBeside(at: CodeUnit): boolean {
    return this.outside !== null && !this.#signals.some((signal) => this.#unitOf(signal) === at);
  }

  /** Whether the failing value was missing in a function when it was seen there. */
  isMissingIn(at: CodeUnit): boolean {
    return this.first !== null && [...this.#steps.values()].some((step) => step.at === at && this.#isMissing(step));
  }

  /** Whether a function ran only once a function that got the missing value as an argument had been called. */
  isLater(at: CodeUnit): boolean {
    const { before } = this.#seen.failure;
    const [first] = before.filter((hit) => this.#seen.code.ran(hit) === at);
    if (!first || !this.first || this.isMissingIn(at) || this.#seen.isOnStack(at)) return false;
    const handed = [...this.#steps.values()].filter((step) => isParameter(step.signal) && this.#isMissing(step));
    return handed.some(
      (step) => this.#ranOnce(step.at) && first.callers.some((caller) => this.#seen.code.ran(caller) === step.at),
    );
  }

  #ranOnce(at: CodeUnit): boolean {
    const lines = this.#seen.failure.before.filter((hit) => hit.kind === "reached" && this.#seen.code.ran(hit) === at);
    return new Set(lines.map(({ line }) => line)).size === lines.length;
  }

  #outsideAt(signal: AnyCodeSignal): SeenOutside | null {
    const from = signal.kind === "value-step" ? sources.get(signal.args.how) : undefined;
    if (from === undefined || this.#steps.get(signal)?.presence === "there") return null;
    const at = this.#unitOf(signal);
    // What is passed on in the same expression is in no variable.
    let next = signal.towards;
    while (next && this.#unitOf(next) === at && !valueAt(next)) next = next.towards;
    const step = this.missingAt(signal) ?? (next && this.missingAt(next));
    return step && { from, step, at };
  }

  #unitOf({ subject: { file, line } }: AnyCodeSignal): CodeUnit | null {
    return this.#seen.code.around(file, line);
  }

  /** Whether the value was missing at a step and at each nearer to the throw: otherwise it may be another value. */
  #isMissing({ signal }: Pick<SeenStep, "signal">): boolean {
    for (let next: AnyCodeSignal | null = signal; next; next = next.towards) {
      const step = this.#steps.get(next);
      if (step ? step.presence !== "missing" : !this.#isPassedBack(next)) return false;
    }
    return true;
  }

  /** Whether a step is a call, or what a function that ran once returned to it: no variable has the value there. */
  #isPassedBack(signal: AnyCodeSignal): boolean {
    const at = this.#unitOf(signal);
    const how = signal.kind === "value-step" ? signal.args.how : null;
    return how === "call" || how === "awaited-call" || (how === "return" && at !== null && this.#ranOnce(at));
  }

  #stepAt(signal: AnyCodeSignal): SeenStep | null {
    const { line } = signal.subject;
    const at = this.#unitOf(signal);
    const value = valueAt(signal);
    if (!at || !value) return null;
    const [name, ...fields] = value.path;
    const isHere = (hit: Hit): boolean =>
      isParameter(signal) || (value.isAfter ? hit.line > line : hit.line === line && hit.kind !== "returned");
    const { before, thrown } = this.#seen.failure;
    const hit = [...before, ...thrown.toReversed()].findLast(
      (one) => this.#seen.code.ran(one) === at && isHere(one) && name in one.values,
    );
    const text = hit?.values[name];
    if (!hit || text === undefined) return null;
    const presence = presenceOf(text, fields, this.#lookedFor(hit));
    return presence === "unknown" ? null : { signal, at, hit, name: value.path.join("."), presence };
  }

  /** The fields that were looked for in the objects of a stop: in production, only some are. */
  #lookedFor(hit: Hit): ReadonlySet<string> {
    const { code, failure, isInProduction } = this.#seen;
    if (!isInProduction) return new Set();
    const at = code.ran(hit);
    const ordered = failure.places.filter((place) => code.around(place.file, place.line) === at);
    return new Set([...code.namesOn(hit.file, hit.line), ...ordered.flatMap(({ fields = [] }) => fields)]);
  }
}

function isParameter(signal: AnyCodeSignal): boolean {
  return signal.kind === "value-step" && signal.args.how === "parameter";
}
