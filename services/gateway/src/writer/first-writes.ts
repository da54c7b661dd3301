import { hash } from "node:crypto";
import type { StoredEvent } from "@whence/storage";
import { asSent } from "./to-stored-event.ts";

/**
 * The number of events remembered: about 8 MB. Later duplicates reach the store, which also keeps the first version.
 */
const rememberedMax = 50_000;

/** The content of recent events by id, since an id must not be reused for other content. */
export class FirstWrites {
  readonly #digests = new Map<string, string>();
  readonly #max: number;

  constructor(max: number = rememberedMax) {
    this.#max = max;
  }

  /** Whether an event with this id and other content came before. Otherwise remembers it. */
  differs(stored: StoredEvent): boolean {
    const key = `${stored.scopeId} ${stored.event.id}`;
    const digest = hash("sha1", stored.eventText ?? JSON.stringify(asSent(stored)), "base64");
    const first = this.#digests.get(key);
    if (first !== undefined) return first !== digest;
    this.#digests.set(key, digest);
    this.#forgetOldest();
    return false;
  }

  #forgetOldest(): void {
    if (this.#digests.size <= this.#max) return;
    const [oldest] = this.#digests.keys();
    if (oldest !== undefined) this.#digests.delete(oldest);
  }
}
