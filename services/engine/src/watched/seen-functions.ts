import type { Hit } from "@whence/protocol";
import type { AnyCodeSignal } from "../signals/signal.ts";
import type { Traced } from "../trace/traced.ts";
import { CodeAt, type CodeUnit } from "./code-at.ts";
import { type FailingValue, failingValueOf } from "./failing-value.ts";
import type { WatchedFailure } from "./watched-failure.ts";

/** What was seen of a function before the throw. */
export interface SeenFunction {
  readonly at: CodeUnit;
  /** How it returned last; null when it didn't, or what it returned doesn't tell. */
  readonly returned: Hit | null;
  /** Whether what it returned last is the value that failed. */
  readonly isFailing: boolean;
  /** Whether what it returned last is an object whose field has that value. */
  readonly hasFailing: boolean;
  /** Whether it never ran before the throw. */
  readonly isUnreached: boolean;
  /** Whether one of its returns was the value that failed. */
  readonly hasFailed: boolean;
  /** Whether the line that returned last returned another value than the one that failed elsewhere in the run. */
  readonly hasWorked: boolean;
  /** Whether every return of it is known. */
  readonly isComplete: boolean;
  /** Whether every call of it is known, though not what it returned. */
  readonly isWatched: boolean;
}

/** A line that uses the failing value. */
export interface Use {
  readonly at: CodeUnit;
  readonly line: number;
  /** The names that may have it there. */
  readonly names: ReadonlySet<string>;
  /** What is used: the value, the object with the field that has it, or the field where that object is made. */
  readonly of: "value" | "object" | "field";
}

/** Everything that was seen of the functions in the code. */
export class SeenFunctions {
  readonly code: CodeAt;
  readonly failure: WatchedFailure;
  /** What tells the value that failed; null where nothing does. */
  readonly value: FailingValue | null;
  readonly #byFunction: ReadonlyMap<CodeUnit, SeenFunction>;
  readonly #callers = new Map<CodeUnit, ReadonlySet<CodeUnit>>();

  constructor({ signals, files }: Pick<Traced, "signals" | "files">, failure: WatchedFailure) {
    this.code = new CodeAt(files);
    this.failure = failure;
    this.value = failingValueOf(signals);
    this.#byFunction = this.#seen();
    for (const signal of signals) this.#addStep(signal);
  }

  /** Returns what was seen of a function; undefined when it wasn't watched. */
  of(at: CodeUnit | null): SeenFunction | undefined {
    return at === null ? undefined : this.#byFunction.get(at);
  }

  /** Whether other requests ran beside it, and few places were watched: less can be told than from a run. */
  get isInProduction(): boolean {
    return "failed" in this.failure.during;
  }

  get all(): readonly SeenFunction[] {
    return [...this.#byFunction.values()];
  }

  /** The calls on the stack of the throw that had the failing value, up to the one that didn't get it as an argument. */
  get holding(): readonly Hit[] {
    const { thrown } = this.failure;
    const last = thrown.findIndex((hit) => {
      const at = this.code.ran(hit);
      return at === null || !this.isHanded(at, hit);
    });
    return last < 0 ? thrown : thrown.slice(0, last + 1);
  }

  isOnStack(at: CodeUnit): boolean {
    const [first] = this.failure.thrown;
    return [first, ...first.callers].some((one) => this.code.ran(one) === at);
  }

  /** Returns where a call on the stack of the throw began; null when that wasn't seen. */
  beginOf(call: Hit): Hit | null {
    const at = this.code.ran(call);
    const stops = this.failure.before.filter(
      (hit) => hit.kind === "reached" && hit.nth > 0 && this.code.ran(hit) === at,
    );
    // Code outside of functions is followed from its line.
    const first = at?.function ? Math.min(...stops.map(({ line }) => line)) : call.line;
    // In production, only the line of the throw may be watched.
    if (this.isInProduction && first === call.line) return null;
    const begun = stops.filter(({ line }) => line === first);
    // A call that went on after it had waited has no callers left.
    const alike = call.callers.length === 0 ? begun : begun.filter((hit) => isCalledAlike(hit, call));
    return alike.at(-1) ?? null;
  }

  /** The uses of the failing value in the calls of the throw that had it. */
  get uses(): readonly Use[] {
    return this.holding.flatMap((call, index) => {
      const names = index === 0 ? this.value?.names : undefined;
      return this.#useIn(call, this.value?.field == null ? "value" : "object", names);
    });
  }

  /** Returns the uses in the function that returned the value, or the object that has it. */
  usesBefore({ returned, isFailing }: SeenFunction): readonly Use[] {
    if (!returned) return [];
    if (isFailing) return this.#useIn(returned, "value");
    return [...this.#useIn(returned, "object"), ...this.#useIn(returned, "field")];
  }

  /** Returns a use on the line of a stop, by any name there unless some are given. */
  #useIn(hit: Hit, of: Use["of"], names = this.code.namesOn(hit.file, hit.line)): Use[] {
    const at = this.code.ran(hit);
    return at ? [{ at, line: hit.line, names, of }] : [];
  }

  /** Returns whether a call had the failing value, or the object that has it, among its arguments. */
  isHanded(at: CodeUnit, { values }: Pick<Hit, "values">): boolean {
    const { value } = this;
    const given = at.function?.given ?? [];
    return Object.entries(values).some(
      ([name, text]) => given.includes(name) && value !== null && (value.is(text) || value.isIn(text)),
    );
  }

  /** Returns the functions whose result is what a line uses. */
  handedBy(use: Use): readonly SeenFunction[] {
    const { at, of } = use;
    return this.all.filter((one) => {
      const { at: other, returned, isFailing, hasFailing } = one;
      if (!(of === "object" ? hasFailing : isFailing) || !returned || other === at) return false;
      const [caller] = returned.callers;
      if (of === "field") {
        const field = this.value?.field ?? null;
        if (!caller || field === null || this.code.ran(caller) !== at) return false;
        return this.code.setsField(at.file, caller.line, field, other);
      }
      if (caller && this.code.ran(caller) === at) return this.isResultUsed(use, one);
      return this.#callers.get(other)?.has(at) ?? false;
    });
  }

  /** Returns whether a line uses what a function returned last, because it was called there, whatever that is. */
  isResultUsed({ at, line, names }: Use, { at: called, returned }: SeenFunction): boolean {
    const [caller] = returned?.callers ?? [];
    if (!caller || this.code.ran(caller) !== at) return false;
    return this.code.isUsed(at.file, caller.line, { line, names }, called);
  }

  /** Returns whether a function is among the calls that led to a stop before the throw. */
  hasCalled(at: CodeUnit): boolean {
    return this.failure.before.some(({ callers }) => callers.some((one) => this.code.ran(one) === at));
  }

  #seen(): Map<CodeUnit, SeenFunction> {
    const { places, before, beside } = this.failure;
    const byFunction = Map.groupBy(before, (hit) => this.code.ran(hit));
    const elsewhere = Map.groupBy(beside, (hit) => this.code.ran(hit));
    const found = new Map<CodeUnit, SeenFunction>();
    const placed = new Set<CodeUnit>();
    for (const [at, own] of byFunction) {
      const returned = lastReturnIn(own);
      const isFailing = returned !== null && (this.value?.is(returned.returned) ?? false);
      const hasFailing = returned !== null && (this.value?.isIn(returned.returned) ?? false);
      const hasFailed = own.some((hit) => this.value?.is(hit.returned) ?? false);
      const hasWorked = [...own, ...(elsewhere.get(at) ?? [])].some(
        ({ line, returned: other }) => other !== undefined && line === returned?.line && !this.value?.is(other),
      );
      const isComplete = !this.isInProduction;
      if (at)
        found.set(at, {
          at,
          returned,
          isFailing,
          hasFailing,
          hasFailed,
          hasWorked,
          isUnreached: false,
          isComplete,
          isWatched: isComplete,
        });
    }
    for (const { file, line, hits, is_complete: isComplete, isWatched = isComplete } of places) {
      const at = this.code.around(file, line);
      if (!at) continue;
      const isUnreached = hits === 0 && isComplete;
      const isFirst = !placed.has(at);
      placed.add(at);
      const known = found.get(at) ?? {
        at,
        returned: null,
        isFailing: false,
        hasFailing: false,
        hasFailed: false,
        hasWorked: false,
        isUnreached,
        isComplete,
        isWatched,
      };
      found.set(at, {
        ...known,
        isUnreached: known.isUnreached && isUnreached,
        isComplete: (isFirst || known.isComplete) && isComplete,
        isWatched: (isFirst || known.isWatched) && isWatched,
      });
    }
    return found;
  }

  /** Records that the value of a step came from another function, as the code shows. */
  #addStep(signal: AnyCodeSignal): void {
    const at = this.code.around(signal.subject.file, signal.subject.line);
    const next = signal.towards && this.code.around(signal.towards.subject.file, signal.towards.subject.line);
    if (!at || !next || at === next) return;
    this.#callers.set(at, new Set([...(this.#callers.get(at) ?? []), next]));
  }
}

/** Returns how a function returned last, with the calls that led to it. */
function lastReturnIn(stops: readonly Hit[]): Hit | null {
  const index = stops.findLastIndex(({ kind, returned }) => kind === "returned" && returned !== undefined);
  const found = stops[index];
  if (!found || found.callers.length > 0) return found ?? null;
  // A call that went on after it had waited has no callers left: those of its beginning.
  const begun = stops.slice(0, index).findLast(({ callers }) => callers.length > 0);
  return begun ? { ...found, callers: begun.callers } : found;
}

/** Returns whether two stops have the same calls on their stack, as far as those are known. */
function isCalledAlike({ callers: left }: Hit, { callers: right }: Hit): boolean {
  return (
    left.length === right.length &&
    left.every((one, index) => one.file === right[index]?.file && one.line === right[index]?.line)
  );
}
