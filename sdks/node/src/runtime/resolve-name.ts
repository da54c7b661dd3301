import type { LookupFunction } from "node:net";

/** What {@link resolveName} needs. */
export interface NameResolution {
  readonly dns: typeof import("node:dns");
  readonly fs: Pick<typeof import("node:fs"), "readFileSync">;
  /** For each name server that has not answered yet. */
  readonly serverTimeoutMs: number;
}

/**
 * Resolves a name as `dns.lookup` does, but so that it can be given up. While name servers are silent, `dns.lookup`
 * holds the end of a process for 10 seconds and more, `process.exit` and crashes included: it runs in a thread that
 * Node waits for. So the name servers are asked first in the way that can be given up, by `cancel` of what this
 * returns. `dns.lookup` is left for names that are resolved without them, and for those that they answer not to have,
 * such as the short ones of a search domain.
 *
 * The dying process's thread gets this as text (see `dying-process-worker.ts`), so it uses nothing from around it.
 */
export function resolveName(
  { dns, fs, serverTimeoutMs }: NameResolution,
  host: string,
  options: Parameters<LookupFunction>[1],
  callback: Parameters<LookupFunction>[2],
): { cancel(): void } | undefined {
  let isLocal = host === "localhost" || host.endsWith(".localhost");
  try {
    isLocal ||= fs.readFileSync("/etc/hosts", "utf8").split(/\s+/).includes(host);
  } catch {
    // Windows keeps the file elsewhere: there, a lookup of such a name first fails.
  }
  if (isLocal) {
    dns.lookup(host, options, callback);
    return undefined;
  }
  const resolver = new dns.Resolver({ timeout: serverTimeoutMs, tries: 1 });
  const startedAt = performance.now();
  resolver.resolve4(host, (error, addresses = []) => {
    const [first] = addresses;
    if (first !== undefined && options.all === true) {
      callback(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      );
    } else if (first !== undefined) callback(null, first, 4);
    // Servers that can't be reached at all count as silent, too, and that is known at once.
    else if (
      error?.code === "ECANCELLED" ||
      error?.code === "ETIMEOUT" ||
      performance.now() - startedAt > serverTimeoutMs
    )
      callback(error, "");
    else dns.lookup(host, options, callback);
  });
  return resolver;
}
