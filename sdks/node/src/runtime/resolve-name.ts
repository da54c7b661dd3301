import type { LookupFunction } from "node:net";

/** The dependencies of {@link resolveName}. */
export interface NameResolution {
  readonly dns: typeof import("node:dns");
  readonly fs: Pick<typeof import("node:fs"), "readFileSync">;
  /** The timeout per name server. */
  readonly serverTimeoutMs: number;
}

/**
 * Resolves a name as `dns.lookup` does, but cancelably. While name servers don't answer, `dns.lookup` delays the end of
 * a process by 10 seconds or more, even for `process.exit` and crashes, because it runs in a thread that Node waits
 * for. So the name servers are asked first in a way that the returned `cancel` stops. `dns.lookup` is used for names
 * that are resolved without name servers, and for those unknown to them, such as short names in a search domain.
 *
 * The dying process's thread gets this function as text (see `dying-process-worker.ts`), so it must be self-contained.
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
    // Windows keeps the file elsewhere; there, a lookup of such a name fails first.
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
    // Unreachable servers count as silent, too, which is known at once.
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
