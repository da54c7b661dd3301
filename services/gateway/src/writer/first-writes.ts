import { hash } from "node:crypto";
import type { StoredEvent } from "@whence/storage";
import { asSent } from "./to-stored-event.ts";

/** Events that are remembered: some 8 MB. What comes again later meets the store, which keeps the first one too. */
const rememberedMax = 50_000;

/** What events said when they first came, the latest ones: an id is not given to another content. */
export class FirstWrites {
  readonly #digests = new Map<string, string>();
  readonly #max: number;

  constructor(max: number = rememberedMax) {
    this.#max = max;
  }

  /** Whether an event of this id came before with other content. Otherwise it is remembered. */
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
