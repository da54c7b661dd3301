import type { Evidence } from "@whence/protocol";
import type { Observation } from "./findings.ts";

/** Numbers evidence as it is cited, so that a report holds what it rests on and nothing else. */
export class EvidenceBook {
  readonly #ids = new Map<string, string>();
  readonly #evidence: Evidence[] = [];

  /** The id of an observation; the same observation has the same id. */
  cite({ fact: _, ...observation }: Observation): string {
    const { sha256, range, first_line: line, source, summary } = observation;
    // Two windows into a file may have the same text.
    const key = JSON.stringify([sha256, range, line, source.kind, summary]);
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = `e${this.#evidence.length + 1}`;
    this.#ids.set(key, id);
    this.#evidence.push({ id, ...observation });
    return id;
  }

  /** In the order of their first citation. */
  get evidence(): readonly Evidence[] {
    return this.#evidence;
  }
}
