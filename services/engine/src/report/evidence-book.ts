import type { Evidence } from "@whence/protocol";
import type { KnownCode } from "../findings/findings.ts";
import type { Observation } from "../findings/observation.ts";
import { type AnyFact, withShownPaths } from "../signals/fact.ts";
import { english, type Messages } from "./messages.en.ts";
import { shownPathOf } from "./shown-path.ts";

/** Creates a book that words its evidence with `messages` and shortens paths for display. */
export function bookOf(code: KnownCode, messages: Messages = english): EvidenceBook {
  const shown = shownPathOf(code);
  return new EvidenceBook((fact) => messages.evidence(withShownPaths(fact, shown)));
}

/** Numbers and words the evidence that is cited, so that a report contains exactly the evidence it rests on. */
export class EvidenceBook {
  readonly #ids = new Map<string, string>();
  readonly #evidence: Evidence[] = [];
  readonly #facts = new Map<string, AnyFact>();
  readonly #summaryOf: (fact: AnyFact) => string;

  /** `summaryOf` words what a piece of evidence shows. */
  constructor(summaryOf: (fact: AnyFact) => string) {
    this.#summaryOf = summaryOf;
  }

  /** Returns the ID of an observation; the same observation has the same ID. */
  cite({ fact, ...observation }: Observation<AnyFact>): string {
    const { sha256, range, first_line: line, source, location } = observation;
    // Two excerpts of a file may have the same text, and two places the same excerpt.
    const key = JSON.stringify([sha256, range, line, source.kind, source.name, location?.line]);
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = `e${this.#evidence.length + 1}`;
    this.#ids.set(key, id);
    this.#evidence.push({ id, ...observation, summary: this.#summaryOf(fact) });
    this.#facts.set(id, fact);
    return id;
  }

  /** In the order of their first citation. */
  get evidence(): readonly Evidence[] {
    return this.#evidence;
  }

  /** What each piece of evidence shows, by its ID. */
  get facts(): ReadonlyMap<string, AnyFact> {
    return this.#facts;
  }
}
