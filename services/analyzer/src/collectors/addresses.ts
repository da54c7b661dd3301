import type { Circumstances, RecordedCall } from "@whence/storage";

/** Which service answers at a host, as far as that is known. */
export interface Addresses {
  /** `host` as in a URL: name and port. Null when nobody, or more than one, is known there. */
  serviceAt(host: string): string | null;
}

/** A name that callers give is theirs to choose: it counts when so much of what was seen agrees. */
const agreementMin = 0.8;

/**
 * Learned from what was seen: a service that was called by a name (the header `host` of the requests it served)
 * answers there; so does one that served the same method and path in the trace of a call. Without either, a service
 * whose own name the host bears.
 */
export function learnAddresses(seen: readonly Circumstances[], services: Iterable<string>): Addresses {
  const votes = new Map<string, Map<string, number>>();
  const vote = (host: string, service: string): void => {
    if (host === "") return;
    const ofHost = votes.get(host) ?? new Map<string, number>();
    votes.set(host, ofHost.set(service, (ofHost.get(service) ?? 0) + 1));
  };
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

/** Host and path of what a call asked for. */
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

/** `payments`, `payments:8080`, `payments.shop.svc.cluster.local`: a container's or a cluster's way of naming it. */
function namedLike(host: string, services: ReadonlySet<string>): string | null {
  const name = host.toLowerCase().replace(/:\d+$/, "");
  const [label = ""] = name.split(".", 1);
  for (const service of services) if ([name, label].includes(service.toLowerCase())) return service;
  return null;
}
