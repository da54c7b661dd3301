import type { Findings, ParsedInput } from "../findings/findings.ts";
import { calledBy, type Fact } from "../signals/fact.ts";
import type { CalledPlace } from "../signals/facts/fact-kind.ts";
import type { OutgoingCall } from "../signals/inputs/call.ts";
import { recentCalls } from "../signals/related-calls.ts";
import { failureMoment } from "../signals/time-order.ts";
import { placesNamed, unreachedHost } from "./named-places.ts";

/**
 * Where and when a failure happened, for comparison with the findings of third parties. Times are in milliseconds since
 * 1970.
 */
export interface FailureContext {
  readonly service: string | null;
  readonly env: string | null;
  /** Empty when unknown. */
  readonly release: string;
  /** The machines, containers, or pods on which it happened. */
  readonly hosts: readonly string[];
  readonly called: readonly CalledPlace[];
  /** When it was first seen, or when it became more frequent. */
  readonly firstAt: number;
  /** How much later it may have started, in milliseconds: a rise is known only to the minute. */
  readonly firstErrorMs: number;
  /** When it was last known to happen. */
  readonly lastAt: number;
  /** Whether it was announced in words, without an error, so that its start is known less exactly. */
  readonly isAnnounced: boolean;
}

/** Returns where and when a failure happened. */
export function failureContextOf(findings: Findings): FailureContext {
  const { event, incident, observations, exit, observedAt } = findings;
  const { env } = incident;
  if (exit) {
    const ended = exit.processes.map(({ lastSeenAt }) => Date.parse(lastSeenAt));
    return {
      service: exit.processes[0]?.service ?? null,
      env,
      release: exit.processes[0]?.release ?? "",
      hosts: exit.processes.map(({ host }) => host),
      called: [],
      firstAt: Math.min(...ended),
      firstErrorMs: 0,
      lastAt: Date.parse(exit.noticedAt),
      isAnnounced: false,
    };
  }
  const { about, error } = findings;
  const facts = observations.map(({ fact }) => fact);
  return {
    service: ownServiceOf(findings),
    env: event?.env ?? about?.env ?? env,
    release: event?.release ?? about?.release ?? "",
    hosts: event ? [event.host] : about ? placesNamed(error).machines : [],
    called: calledPlaces(findings, facts),
    ...beginningOf(facts, event?.at ?? observedAt),
    lastAt: Date.parse(event?.at ?? observedAt),
    isAnnounced: about !== undefined && error.chain.length === 0,
  };
}

/** Returns the failing service; null when unknown. */
export function ownServiceOf({
  event,
  about,
  incident,
}: Pick<ParsedInput, "event" | "about" | "incident">): string | null {
  return event?.service ?? about?.service ?? incident.service;
}

/** The time from which there is something to explain. */
function beginningOf(facts: readonly Fact[], at: string): Pick<FailureContext, "firstAt" | "firstErrorMs"> {
  const changed = facts.flatMap((fact) =>
    fact.kind === "rate" && fact.rate.at !== null && ["step", "spike"].includes(fact.rate.shape) ? [fact.rate.at] : [],
  );
  const seen = facts.flatMap((fact) => (fact.kind === "totals" ? (fact.impact.first_seen ?? []) : []));
  const [rose] = changed;
  const { at: firstAt, errorMs: firstErrorMs } =
    rose === undefined
      ? failureMoment({ firstSeen: seen[0] ?? at })
      : failureMoment({ firstSeen: rose, began: "rose" });
  return { firstAt, firstErrorMs };
}

/** The services and hosts to which calls failed first, each once. */
function calledPlaces(findings: Findings, facts: readonly Fact[]): CalledPlace[] {
  const serviceAt = (host: string): string | null =>
    facts.flatMap((fact) =>
      fact.kind === "failing-calls" && fact.calls.host === host ? [fact.calls.service] : [],
    )[0] ?? null;
  const places = [
    ...namedByError(findings).map((host) => ({ host, service: null, hasFailed: true, hasAnswered: false })),
    ...recentCalls(findings.event).map((call) => placeOf(call, serviceAt(call.host))),
    ...facts.flatMap((fact) => calledBy(fact, ownServiceOf(findings))),
  ];
  const byName = Map.groupBy(places, ({ host, service }) => host ?? service);
  return [...byName.values()]
    .flatMap((same) => same.find(({ hasFailed }) => hasFailed) ?? same.slice(0, 1))
    .toSorted((left, right) => Number(right.hasFailed) - Number(left.hasFailed));
}

function placeOf({ host, trouble, data }: OutgoingCall, service: string | null): CalledPlace {
  return { host, service, hasFailed: trouble !== null, hasAnswered: data.status_code !== undefined };
}

function namedByError({ error, about }: ParsedInput): readonly string[] {
  if (about) return placesNamed(error).hosts;
  const hosts = error.chain.flatMap((index) => {
    const { message = "", properties = {} } = error.exceptions[index] ?? {};
    const { hostname } = properties;
    return [unreachedHost(message) ?? undefined, typeof hostname === "string" ? hostname : undefined].flatMap(
      (host) => host ?? [],
    );
  });
  return [...new Set(hosts)];
}
