import type { Collector, EventFacts, FailingCalls, Observation } from "@whence/engine";
import { observeData } from "@whence/engine";
import type { Circumstances, RecordedCall } from "@whence/storage";
import { type Addresses, placeOf } from "./addresses.ts";
import {
  type CallTrouble,
  callsLeadingTo,
  type OrdinaryDuration,
  ordinaryDurations,
  troubleOf,
} from "./failed-call.ts";
import { busyDeadlineMs, failureOf, type ReadsOf } from "./shared-reads.ts";
import { fisherTail } from "./statistics.ts";

const hostsMax = 3;
/** Failed calls to one host aren't a coincidence when this share of the failure's events has them. */
const shareMin = 0.5;
const examplesMax = 3;

/**
 * Finds the hosts whose calls failed just before the events of this failure, and how often that happened before the
 * service's other events: failed calls that only precede this failure lead to it.
 */
export function failingCalls(reads: ReadsOf): Collector {
  const name = "calls before the error";
  return {
    name,
    deadlineMs: busyDeadlineMs,
    async collect(findings) {
      const failure = failureOf(findings);
      if (!failure) return [];
      const shared = reads(failure);
      const [own, others, addresses] = await Promise.all([shared.own(), shared.others(), shared.addresses()]);
      const ordinary = ordinaryDurations([...others, ...own].flatMap(({ calls }) => calls));
      const related = relatedHosts(failure.event);
      const before = troubledHosts(own, ordinary, related);
      const elsewhere = troubledHosts(others, ordinary, related);
      return [...before]
        .filter(([, { events }]) => events >= shareMin * own.length)
        .sort(([, left], [, right]) => right.events - left.events)
        .slice(0, hostsMax)
        .map(([host, troubled]) => {
          const calls = factOf(host, troubled, {
            of: own.length,
            others: elsewhere.get(host)?.events ?? 0,
            othersOf: others.length,
            addresses,
          });
          return observe(calls, troubled, name);
        });
    },
  };
}

interface Troubled {
  readonly events: number;
  readonly kinds: ReadonlyMap<CallTrouble, number>;
  readonly examples: readonly (RecordedCall & { readonly event: string })[];
}

/** Returns the hosts of calls that may have led to the investigated event. */
function relatedHosts({ calls }: EventFacts): ReadonlySet<string> {
  return new Set(calls.filter(({ isRelated }) => isRelated).map(({ data }) => placeOf(data).host));
}

/**
 * Counts the events with a failed or slow call to each host just before. Calls made outside of any request or job count
 * if they went to `related` hosts.
 */
function troubledHosts(
  events: readonly Circumstances[],
  ordinary: OrdinaryDuration,
  related: ReadonlySet<string>,
): Map<string, Troubled> {
  const hosts = new Map<string, Troubled>();
  for (const event of events) {
    const { id, at } = event;
    const worst = new Map<string, { trouble: CallTrouble; call: RecordedCall }>();
    for (const call of callsLeadingTo(event)) {
      const { host } = placeOf(call);
      const trouble = troubleOf(call, at, ordinary);
      if (trouble !== null && (!call.isOfProcess || related.has(host))) worst.set(host, { trouble, call });
    }
    for (const [host, { trouble, call }] of worst) {
      const known = hosts.get(host) ?? { events: 0, kinds: new Map(), examples: [] };
      hosts.set(host, {
        events: known.events + 1,
        kinds: new Map(known.kinds).set(trouble, (known.kinds.get(trouble) ?? 0) + 1),
        examples: known.examples.length < examplesMax ? [...known.examples, { event: id, ...call }] : known.examples,
      });
    }
  }
  return hosts;
}

function factOf(
  host: string,
  { events, kinds }: Troubled,
  { of, others, othersOf, addresses }: { of: number; others: number; othersOf: number; addresses: Addresses },
): FailingCalls {
  const [how] = [...kinds].sort(([, left], [, right]) => right - left)[0] ?? ["error"];
  const chance = fisherTail(events, of, events + others, of + othersOf);
  return { host, service: addresses.serviceAt(host), how, events, of, others, othersOf, chance };
}

function observe(calls: FailingCalls, { examples }: Troubled, name: string): Observation {
  return observeData(
    { kind: "telemetry", name },
    { ...calls, examples },
    { observed_at: examples[0]?.at ?? "", fact: { kind: "failing-calls", calls } },
  );
}
