import type { AnnouncedFailure, Collected, InvestigationSubject } from "@whence/engine";
import { httpBreadcrumbDataSchema } from "@whence/protocol";
import type { EventStore, StoredEvent } from "@whence/storage";
import { toStoredEvents } from "../../services/gateway/src/writer/to-stored-event.ts";
import { randomNumbers } from "../faults/random.ts";
import { Choice } from "./choice.ts";
import { type CollectContext, collectForAlert, collectForEvent } from "./collect.ts";
import { outsideFindings } from "./outside-findings.ts";
import type { RecordedCase, RecordedRun } from "./recorded-run.ts";
import { type RunName, type SimulatedRun, simulate } from "./simulate.ts";

const alertShare = 0.35;
const otherShare = 0.5;
/** When an incident's last version is written: seconds after its first event was received. */
const collectedAfterSeconds = [8, 75] as const;
const refusedFrom = 400;

/** Plays a run, stores what its clients sent, and collects what an investigation would find; null when nothing failed. */
export async function recordRun(name: RunName, events: EventStore): Promise<RecordedRun | null> {
  const run = await simulate(name);
  if (!run) return null;
  const choice = new Choice(randomNumbers(name.seed + 777_777));
  const scopeId = `org_${name.seed}`;
  const stored = storedEvents(run, scopeId);
  const failures = newFailures(stored, run.injectedAt);
  const [first] = failures;
  if (!first) return null;
  const until = Date.parse(first.receivedAt) + choice.between(...collectedAfterSeconds) * 1_000;
  const arrived = stored.filter(({ receivedAt }) => Date.parse(receivedAt) <= until);
  await events.insert(arrived);
  const seen = failures.filter((one) => arrived.includes(one));
  const failing = [...new Set(seen.map(({ service }) => service))];
  const outside = outsideFindings({ run, operator: name.operator.name, failing, choice, until });
  const context = { events, scopeId, run, outside };
  const baselines = { loudest: loudest(arrived, run.injectedAt), firstFailingCall: firstFailingCall(arrived, run) };
  const cases = await casesOf(seen, until, context, choice);
  const { operator, topology, seed } = name;
  return {
    ...{ topology, operator: operator.name, family: operator.family, seed },
    ...{ services: run.topology.services.length, cause: run.fault.cause },
    cases: cases.map(({ kind, subject, collected }) => recordedCase(kind, subject, collected, baselines)),
  };
}

interface CollectedCase {
  readonly kind: RecordedCase["kind"];
  readonly subject: InvestigationSubject;
  readonly collected: Collected;
}

/** The first new failure, which people are notified of; often another service's; and some alert that names a service. */
async function casesOf(
  seen: readonly StoredEvent[],
  until: number,
  context: CollectContext,
  choice: Choice,
): Promise<CollectedCase[]> {
  const [first] = seen;
  if (!first) return [];
  const cases: CollectedCase[] = [{ kind: "event", ...(await collectForEvent(first, context)) }];
  const others = seen.filter(({ service }) => service !== first.service);
  if (others.length > 0 && choice.chance(otherShare))
    cases.push({ kind: "event", ...(await collectForEvent(choice.of(others), context)) });
  if (choice.chance(alertShare)) {
    const { service, env, release } = choice.of(seen);
    const about: AnnouncedFailure = { service, env, release, at: new Date(until).toISOString(), isInTelemetry: true };
    cases.push({ kind: "alert", ...(await collectForAlert(about, alertText(service, choice), context)) });
  }
  return cases;
}

function alertText(service: string, choice: Choice): string {
  return choice.of([
    `[FIRING:1] HighErrorRate (${service})\nMore than 5% of the requests to ${service} fail.`,
    `CRITICAL: ${service} error budget burn\n5xx responses of ${service} are above the threshold for 1 minute.`,
    `${service} is failing since a few minutes, customers see errors`,
  ]);
}

function storedEvents(run: SimulatedRun, scopeId: string): StoredEvent[] {
  return run.batches.flatMap(({ receivedAt, batch }) =>
    toStoredEvents({ scope_id: scopeId, received_at: new Date(receivedAt).toISOString(), batch }),
  );
}

/** The first event of each failure that wasn't seen before the fault, by when it was received. */
function newFailures(stored: readonly StoredEvent[], injectedAt: number): StoredEvent[] {
  const failures = stored.filter(({ fingerprint }) => fingerprint !== "");
  const known = new Set(
    failures.flatMap(({ receivedAt, fingerprint }) => (Date.parse(receivedAt) < injectedAt ? [fingerprint] : [])),
  );
  const fresh = failures.filter(({ fingerprint }) => !known.has(fingerprint));
  const firsts = new Map(fresh.toReversed().map((one) => [one.fingerprint, one]));
  const at = ({ receivedAt, event }: StoredEvent): string => `${receivedAt} ${event.timestamp}`;
  return [...firsts.values()].toSorted((left, right) => at(left).localeCompare(at(right)));
}

function failedSince(arrived: readonly StoredEvent[], injectedAt: number): StoredEvent[] {
  return arrived.filter(({ fingerprint, receivedAt }) => fingerprint !== "" && Date.parse(receivedAt) >= injectedAt);
}

function loudest(arrived: readonly StoredEvent[], injectedAt: number): string | null {
  const counts = Map.groupBy(failedSince(arrived, injectedAt), ({ service }) => service);
  return [...counts].toSorted(([, left], [, right]) => right.length - left.length)[0]?.[0] ?? null;
}

/** Whom the first call that failed went to; where none did, the service that failed first. */
function firstFailingCall(arrived: readonly StoredEvent[], { injectedAt, topology }: SimulatedRun): string | null {
  const failed = failedSince(arrived, injectedAt);
  const calls = failed.flatMap(({ service, event }) =>
    (event.breadcrumbs ?? []).flatMap(({ category, data, timestamp }) => {
      const call = category === "http" ? httpBreadcrumbDataSchema.safeParse(data).data : undefined;
      if (!call || Date.parse(timestamp) < injectedAt) return [];
      const isBad = call.status_code === undefined || call.status_code >= refusedFrom;
      return isBad ? [{ at: Date.parse(timestamp), service, url: call.url }] : [];
    }),
  );
  const [first] = calls.toSorted((left, right) => left.at - right.at);
  if (!first) return failed.toSorted((a, b) => a.event.timestamp.localeCompare(b.event.timestamp))[0]?.service ?? null;
  const host = URL.parse(first.url)?.hostname;
  return topology.services.some(({ name }) => name === host) ? (host ?? null) : first.service;
}

function recordedCase(
  kind: RecordedCase["kind"],
  subject: InvestigationSubject,
  { observations }: Collected,
  baselines: RecordedCase["baselines"],
): RecordedCase {
  const kept = observations.map(({ source, observed_at, location, fact }) => ({ source, observed_at, location, fact }));
  return { kind, subject, observations: kept, baselines };
}
