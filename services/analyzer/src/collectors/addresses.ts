import type { AnsweredHost, Circumstances, RecordedCall } from "@whence/storage";

/** Finds the service that answers at a host, where that is known. */
export interface Addresses {
  /** Returns the service at a `host` as in a URL, with name and port; null when none or several are known. */
  serviceAt(host: string): string | null;
}

/** The share of requests that must agree on a name, since callers choose the names they use. */
const agreementMin = 0.8;

/**
 * Learns addresses from telemetry: a service called by a name (the `host` header of requests it served) answers there,
 * as does one that served the same method and path in the trace of a call, and one whose spans are children of calls
 * there. Otherwise, a service with the host's own name does.
 */
export function learnAddresses(
  seen: readonly Circumstances[],
  services: Iterable<string>,
  answered: readonly AnsweredHost[] = [],
): Addresses {
  const votes = new Map<string, Map<string, number>>();
  const vote = (host: string, service: string, times = 1): void => {
    if (host === "") return;
    const ofHost = votes.get(host) ?? new Map<string, number>();
    votes.set(host, ofHost.set(service, (ofHost.get(service) ?? 0) + times));
  };
  for (const { host, service, calls } of answered) vote(host.toLowerCase(), service, calls);
  for (const { calledAs, service } of seen) vote(calledAs.toLowerCase(), service);
  const served = new Map<string, string>();
  for (const { traceId, method, path, service } of seen) {
    if (traceId !== "" && path !== "") served.set(`${traceId} ${method} ${path}`, service);
  }
  for (const one of seen) {
    for (const call of one.traceId === "" ? [] : one.calls) {
      const { host, path } = placeOf(call);
      const service = served.get(`${one.traceId} ${call.method} ${path}`);
      if (service !== undefined && service !== one.service) vote(host, service);
    }
  }
  const known = new Set([...services, ...seen.map(({ service }) => service)]);
  return { serviceAt: (host) => agreed(votes.get(host.toLowerCase())) ?? namedLike(host, known) };
}

/** Returns the host and path of a call. */
export function placeOf({ url }: Pick<RecordedCall, "url">): { host: string; path: string } {
  if (!URL.canParse(url)) return { host: url, path: "" };
  const { host, pathname } = new URL(url);
  return { host, path: pathname };
}

function agreed(votes: ReadonlyMap<string, number> | undefined): string | null {
  const sorted = [...(votes ?? [])].sort(([, left], [, right]) => right - left);
  const all = sorted.reduce((sum, [, count]) => sum + count, 0);
  const [first] = sorted;
  return first && first[1] >= agreementMin * all ? first[0] : null;
}

/**
 * Returns the service that a host is named after in a container network or a cluster: `payments`, `payments:8080`,
 * `payments.shop.svc.cluster.local`.
 */
function namedLike(host: string, services: ReadonlySet<string>): string | null {
  const name = host.toLowerCase().replace(/:\d+$/, "");
  const [label = ""] = name.split(".", 1);
  for (const service of services) if ([name, label].includes(service.toLowerCase())) return service;
  return null;
}
