import { LRUCache } from "lru-cache";
import type { SenderLookup } from "./look-up-sender.ts";

/** How long an answer is cached; a revocation takes effect within this time. */
const rememberedMs = 10_000;
/** How long a key stays valid while the directory doesn't answer, which delays a revocation. */
const staleMs = 600_000;
/** How long after a failure the directory isn't asked about a key that it knew. */
const pauseAfterFailureMs = 1_000;
/** The timeout of a lookup: each waiting request holds a connection. */
const lookUpTimeoutMs = 2_000;
const rememberedKeysMax = 10_000;

interface Entry {
  readonly lookup: Promise<SenderLookup>;
  /** Infinite while the lookup runs, so that concurrent requests share it. */
  until: number;
  /** Until when a valid answer may replace a missing one. */
  staleUntil: number;
}

/**
 * The key directory's recent answers by the key's hash, for known and unknown keys: at most {@link rememberedMs} old,
 * and never valid beyond the key's own expiry. While the directory doesn't answer, keys that it knew stay valid for
 * {@link staleMs}.
 */
export class KeyCache {
  readonly #lookUp: (hash: string, now: Date) => Promise<SenderLookup>;
  readonly #clock: () => number;
  readonly #entries = new LRUCache<string, Entry>({ max: rememberedKeysMax });

  constructor(lookUp: (hash: string, now: Date) => Promise<SenderLookup>, clock: () => number) {
    this.#lookUp = lookUp;
    this.#clock = clock;
  }

  /** Returns the cached answer; undefined when the directory has to be asked. */
  remembered(hash: string): Promise<SenderLookup> | undefined {
    const entry = this.#entries.get(hash);
    return entry && this.#clock() < entry.until ? entry.lookup : undefined;
  }

  /** Whether the key was valid recently, even though the directory has to be asked again. */
  wasValid(hash: string): boolean {
    const entry = this.#entries.peek(hash);
    return entry !== undefined && this.#clock() < entry.staleUntil;
  }

  /** Asks the directory. Rejects when it doesn't answer and the key wasn't known; such a failure isn't cached. */
  find(hash: string): Promise<SenderLookup> {
    const former = this.#entries.peek(hash);
    const lookup = this.#ask(hash, former);
    this.#entries.set(hash, { lookup, until: Number.POSITIVE_INFINITY, staleUntil: 0 });
    return lookup;
  }

  async #ask(hash: string, former: Entry | undefined): Promise<SenderLookup> {
    const now = this.#clock();
    try {
      const found = await inTime(this.#lookUp(hash, new Date(now)));
      const expiry = expiryOf(found);
      const until = Math.min(now + rememberedMs, expiry);
      const staleUntil = found.outcome === "valid" ? Math.min(now + staleMs, expiry) : 0;
      this.#entries.set(hash, { lookup: Promise.resolve(found), until, staleUntil });
      return found;
    } catch (error) {
      if (former === undefined || now >= former.staleUntil) {
        this.#entries.delete(hash);
        throw error;
      }
      const until = Math.min(now + pauseAfterFailureMs, former.staleUntil);
      this.#entries.set(hash, { ...former, until });
      return former.lookup;
    }
  }
}

function expiryOf(found: SenderLookup): number {
  return found.outcome === "valid" && found.expiresAt !== null ? Date.parse(found.expiresAt) : Number.POSITIVE_INFINITY;
}

async function inTime(lookup: Promise<SenderLookup>): Promise<SenderLookup> {
  const timeout = Promise.withResolvers<never>();
  const fail = (): void => timeout.reject(new Error(`the key directory did not answer in ${lookUpTimeoutMs} ms`));
  const timer = setTimeout(fail, lookUpTimeoutMs);
  try {
    return await Promise.race([lookup, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
