import type { Hit, Observed } from "@whence/protocol";
import type { ParsedInput } from "../findings/findings.ts";
import type { SeenPlaces, Verdict } from "../findings/verdict.ts";
import type { PlaceSubject } from "../signals/subject.ts";
import type { Traced } from "../trace/traced.ts";
import type { CodeUnit } from "./code-at.ts";
import { observeFunction } from "./observe-function.ts";
import { type SeenFunction, SeenFunctions } from "./seen-functions.ts";
import { watchedFailureOf } from "./watched-failure.ts";

/** What watched runs decide about the functions that may contain the cause. */
export class Verdicts implements SeenPlaces {
  readonly seen: SeenFunctions;
  /** The function in which the failing value was seen first; null where none is, or several are. */
  readonly origin: SeenFunction | null;

  readonly #observedAt: string;

  /** `observedAt` is the time of the failure, RFC 3339. */
  constructor(seen: SeenFunctions, observedAt: string) {
    this.seen = seen;
    this.origin = originIn(seen);
    this.#observedAt = observedAt;
  }

  /** The place in {@link origin} that returned the failing value. */
  get originPlace(): PlaceSubject | null {
    const { returned, at } = this.origin ?? {};
    if (!returned || !at) return null;
    return { kind: "place", file: at.file, line: returned.line, function: at.function?.name ?? null, source: null };
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
    const known = this.seen.of(at);
    if (!known) return null;
    const isOrigin = known === this.origin;
    if (!isOrigin && !this.#isRefuted(known)) return null;
    return {
      seen: isOrigin ? "confirmed" : "refuted",
      observation: observeFunction(known, this.seen.failure, this.#observedAt),
    };
  }

  /**
   * A function that didn't run, or that returned another value than the one that failed. What a field lacks, any of them
   * may have left out.
   */
  #isRefuted({ at, isUnreached, isComplete, returned, isFailing }: SeenFunction): boolean {
    // The code of a module ran once it was loaded.
    if (at.function === null || this.seen.isOnStack(at)) return false;
    if (isUnreached) return !this.seen.hasCalled(at);
    if (this.seen.value?.field !== null) return false;
    return isComplete && returned !== null && !isFailing;
  }
}

/** Returns what watched runs decide; null when the failure wasn't seen in any. */
export function verdictsOf(
  observed: Observed | undefined,
  findings: Pick<ParsedInput, "error" | "observedAt">,
  traced: Traced,
): Verdicts | null {
  const failure = observed && watchedFailureOf(observed, findings);
  return failure ? new Verdicts(new SeenFunctions(traced, failure), findings.observedAt) : null;
}

/** Follows the failing value from the calls of the throw that had it, through the calls that returned it. */
function originIn(seen: SeenFunctions): SeenFunction | null {
  const begin = seen.holding.map((call) => seen.beginOf(call)).findLast((hit) => hit !== null);
  const reached = { value: new Set<CodeUnit>(), object: new Set<CodeUnit>(), field: new Set<CodeUnit>() };
  const ends = new Set<SeenFunction>();
  const queue = [...seen.uses];
  for (let use = queue.shift(); use !== undefined; use = queue.shift()) {
    const { at, of } = use;
    if (reached[of].has(at)) continue;
    reached[of].add(at);
    // What returned before the call began isn't what it got.
    const handed = seen.handedBy(use).filter(({ returned }) => !begin || (returned?.at_ms ?? 0) >= begin.at_ms);
    for (const one of handed) queue.push(...seen.usesBefore(one));
    const own = seen.of(at);
    const isPassedOn = own?.returned ? seen.isHanded(at, own.returned) : true;
    if (of === "value" && handed.length === 0 && own?.isFailing && !isPassedOn && hasReturned(own, seen)) ends.add(own);
  }
  const [only, ...others] = ends;
  return only && others.length === 0 ? only : null;
}

/** A call on the stack of the throw hasn't returned: what an earlier call of its function did tells nothing about it. */
function hasReturned({ at, returned }: SeenFunction, seen: SeenFunctions): boolean {
  if (!seen.isOnStack(at)) return true;
  const [caller] = returned?.callers ?? [];
  return caller !== undefined && seen.code.ran(caller) === at;
}
