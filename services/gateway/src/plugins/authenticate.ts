import { createHash } from "node:crypto";
import type { KeyDirectory, KeyLookup } from "@whence/storage";
import { LRUCache } from "lru-cache";

/** How long a look-up is believed: a revoked key stops within it, and a stream of unknown keys costs few look-ups. */
export const keyCacheTtlMs = 10_000;
const cachedKeysMax = 10_000;

/** Who a key belongs to. */
export type KeyResolver = (key: string) => Promise<KeyLookup>;

/**
 * Looks keys up by their SHA-256 and remembers the answers for a short time, also that nobody has a key. An unknown
 * key costs what a known one does: one hash and at most one look-up; simultaneous look-ups of one key are one.
 */
export function cachedKeys(keys: Pick<KeyDirectory, "find">, clock: () => number): KeyResolver {
  const cache = new LRUCache<string, KeyLookup>({
    max: cachedKeysMax,
    ttl: keyCacheTtlMs,
    perf: { now: clock },
    fetchMethod: (hash) => keys.find(hash, new Date(clock())),
  });
  return async (key) => {
    const hash = createHash("sha256").update(key).digest("hex");
    const found = (await cache.fetch(hash)) ?? { outcome: "unknown" };
    const expires = found.outcome === "valid" && found.expiresAt !== null && Date.parse(found.expiresAt) <= clock();
    return expires ? { outcome: "expired" } : found;
  };
}
