import type { KeyDirectory, KeyLookup } from "@whence/storage";
import { LRUCache } from "lru-cache";

/** How long an answer is remembered: so soon a revocation works everywhere. */
const rememberedMs = 10_000;
const rememberedKeysMax = 10_000;

interface Entry {
  readonly lookup: Promise<KeyLookup>;
  /** Endless while the look-up runs, so that whoever asks meanwhile shares it. */
  until: number;
}

/**
 * What the key directory said lately, by the key's hash: of known and unknown keys alike, at most {@link rememberedMs}
 * ago, and never beyond the key's own expiry.
 */
export class KeyCache {
  readonly #keys: KeyDirectory;
  readonly #clock: () => number;
  readonly #entries = new LRUCache<string, Entry>({ max: rememberedKeysMax });

  constructor(keys: KeyDirectory, clock: () => number) {
    this.#keys = keys;
    this.#clock = clock;
  }

  /** Undefined when the directory has to be asked. */
  remembered(hash: string): Promise<KeyLookup> | undefined {
    const entry = this.#entries.get(hash);
    return entry && this.#clock() < entry.until ? entry.lookup : undefined;
  }

  /** Asks the directory. That it could not answer is not remembered. */
  async find(hash: string): Promise<KeyLookup> {
    const now = this.#clock();
    const lookup = this.#keys.find(hash, new Date(now));
    const entry: Entry = { lookup, until: Number.POSITIVE_INFINITY };
    this.#entries.set(hash, entry);
    try {
      const found = await lookup;
      entry.until = now + rememberedMs;
      if (found.outcome === "valid" && found.expiresAt !== null) {
        entry.until = Math.min(entry.until, Date.parse(found.expiresAt));
      }
      return found;
    } catch (error) {
      if (this.#entries.peek(hash) === entry) this.#entries.delete(hash);
      throw error;
    }
  }
}
