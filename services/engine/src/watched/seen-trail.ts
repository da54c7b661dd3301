import type { Hit } from "@whence/protocol";
import type { AnyCodeSignal } from "../signals/signal.ts";
import type { CodeUnit } from "./code-at.ts";
import type { SeenFunctions } from "./seen-functions.ts";
import { valueAt } from "./value-route.ts";
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

/** The trail of the failing value, as the code shows it, with what was seen of the value along it. */
export class SeenTrail {
  readonly #seen: SeenFunctions;
  readonly #steps = new Map<AnyCodeSignal, SeenStep>();
  /** The step farthest from the throw at which the value was missing; null where none was seen. */
  readonly first: SeenStep | null;

  constructor(signals: readonly AnyCodeSignal[], seen: SeenFunctions) {
    this.#seen = seen;
    for (const signal of signals) {
      const step = this.#stepAt(signal);
      if (step) this.#steps.set(signal, step);
    }
    const missing = [...this.#steps.values()].filter((step) => this.#isMissing(step));
    this.first = missing.toSorted((one, other) => other.signal.steps - one.signal.steps)[0] ?? null;
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

  /** Whether the value was missing at a step and at each nearer to the throw: otherwise it may be another value. */
  #isMissing({ signal }: Pick<SeenStep, "signal">): boolean {
    for (let next: AnyCodeSignal | null = signal; next; next = next.towards)
      if (this.#steps.get(next)?.presence !== "missing") return false;
    return true;
  }

  #stepAt(signal: AnyCodeSignal): SeenStep | null {
    const { file, line } = signal.subject;
    const at = this.#seen.code.around(file, line);
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
  #lookedFor({ file, line }: Hit): ReadonlySet<string> {
    return this.#seen.isInProduction ? this.#seen.code.namesOn(file, line) : new Set();
  }
}

function isParameter(signal: AnyCodeSignal): boolean {
  return signal.kind === "value-step" && signal.args.how === "parameter";
}
