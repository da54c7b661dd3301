import type { Evidence } from "@whence/protocol";
import type { Observation } from "./findings.ts";

/** Numbers evidence as it is cited, so that a report holds what it rests on and nothing else. */
export class EvidenceBook {
  readonly #ids = new Map<string, string>();
  readonly #evidence: Evidence[] = [];

  /** The id of an observation; the same observation has the same id. */
  cite({ fact: _, ...observation }: Observation): string {
    const key = JSON.stringify([observation.sha256, observation.range, observation.source.kind, observation.summary]);
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
