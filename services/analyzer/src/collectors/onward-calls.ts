import { type Observation, type OnwardCall, observeData } from "@whence/engine";
import type { Addresses } from "./addresses.ts";
import { ordinaryDurations } from "./failed-call.ts";
import type { FoundFailure } from "./related-failures.ts";
import { troubledCalls } from "./trace-walk.ts";

interface Around {
  /** The failing service. */
  readonly own: string;
  readonly addresses: Addresses;
  /** The name of the collector. */
  readonly name: string;
}

/**
 * Returns where these failures lead: the last failed call of each, if no failure was found at the host it went to. Each
 * host once.
 */
export function observeOnwardCalls(found: readonly FoundFailure[], { own, addresses, name }: Around): Observation[] {
  const failed = new Set([own, ...found.map(({ example }) => example.service)]);
  const ordinary = ordinaryDurations(found.flatMap(({ example }) => example.calls));
  const calls = found.flatMap(({ example, wasThere }): OnwardCall[] => {
    if (wasThere) return [];
    const [last] = troubledCalls(example, { addresses, ordinary });
    if (!last || (last.service !== null && failed.has(last.service))) return [];
    const { call, host, service, how } = last;
    return [{ from: example.service, at: call.at, host, service, how, status: call.statusCode }];
  });
  const byHost = new Map(calls.toReversed().map((call) => [call.host, call]));
  return [...byHost.values()].map((call) =>
    observeData({ kind: "telemetry", name }, call, { observed_at: call.at, fact: { kind: "onward-call", call } }),
  );
}
