import type { Collector, Concentration, Observation } from "@whence/engine";
import { observeData } from "@whence/engine";
import type { Circumstances, SpreadCount } from "@whence/storage";
import { placeOf } from "./addresses.ts";
import { busyDeadlineMs, failureOf, type ReadsOf } from "./shared-reads.ts";
import { binomialTail, fisherTail, wilsonLower } from "./statistics.ts";

/** A share isn't due to chance below this probability, corrected for the number of values (Bonferroni), */
const chanceMax = 0.001;
/** and worth reporting when its lower bound (Wilson) is this many times the ordinary share. */
const liftMin = 1.5;
/** Failures occur in bursts of one client or one connection, so more than this are no further proof. */
const countedMax = 60;
const shownMax = 3;

/**
 * Finds where the failure is more frequent than in the service's ordinary load. Hosts and processes are compared by how
 * long they ran; routes, user agents, upstreams, and runtimes by the service's other events. A share alone proves
 * nothing: with only one host, all failures are on it.
 */
export function concentration(reads: ReadsOf): Collector {
  const name = "where it is more often";
  return {
    name,
    deadlineMs: busyDeadlineMs,
    async collect(findings) {
      const failure = failureOf(findings);
      if (!failure) return [];
      const shared = reads(failure);
      const [spread, own, others] = await Promise.all([shared.spread(), shared.own(), shared.others()]);
      const found = [
        ...byRunning(spread, "host"),
        ...byRunning(spread, "instance"),
        ...byOthers(spread),
        ...bySample("user agent", own, others, ({ userAgent }) => [userAgent]),
        ...bySample("runtime", own, others, ({ runtime }) => [runtime]),
        ...bySample("upstream", own, others, ({ calls }) => calls.map((call) => placeOf(call).host)),
      ];
      return withoutEchoes(found)
        .slice(0, shownMax)
        .map((one) => observe(one, failure.event.at, name));
    },
  };
}

/** Drops a process that is the only one on its host, which is more useful to a reader. */
function withoutEchoes(found: readonly Concentration[]): Concentration[] {
  const sorted = found.toSorted((left, right) => left.chance - right.chance);
  const host = sorted.find(({ dimension }) => dimension === "host");
  return sorted.filter(
    ({ dimension, failing }) => dimension !== "instance" || host === undefined || failing < host.failing / 2,
  );
}

/** Compares with the minutes that processes ran, by their heartbeats. */
function byRunning(spread: readonly SpreadCount[], dimension: "host" | "instance"): Concentration[] {
  const total = spread.find((one) => one.dimension === "total");
  const values = spread.filter((one) => one.dimension === dimension && one.value !== "");
  if (!total || total.heartbeats === 0 || values.length < 2) return [];
  return values.flatMap(({ value, failing, heartbeats }) => {
    // A process that fails was running, even without a heartbeat.
    const expected = Math.max(heartbeats, 1) / Math.max(total.heartbeats, 1);
    const [hits, draws] = thinned(failing, total.failing);
    const chance = Math.min(1, binomialTail(hits, draws, expected) * values.length);
    return noteworthy({ dimension, value, failing, of: total.failing, expected, chance });
  });
}

/** Compares with the requests of the service's other failures. */
function byOthers(spread: readonly SpreadCount[]): Concentration[] {
  const values = spread.filter(({ dimension, value }) => dimension === "route" && value !== "");
  const of = values.reduce((sum, { failing }) => sum + failing, 0);
  const others = values.reduce((sum, { otherFailures }) => sum + otherFailures, 0);
  if (others === 0) return [];
  return values.flatMap(({ value, failing, otherFailures }) =>
    compared({ dimension: "route", value, failing, of, here: otherFailures, others, values: values.length }),
  );
}

function bySample(
  dimension: Concentration["dimension"],
  own: readonly Circumstances[],
  others: readonly Circumstances[],
  valuesOf: (one: Circumstances) => readonly string[],
): Concentration[] {
  const [ours, theirs] = [tally(own, valuesOf), tally(others, valuesOf)];
  if (theirs.of === 0) return [];
  return [...ours.counts].flatMap(([value, failing]) =>
    compared({
      dimension,
      value,
      failing,
      of: ours.of,
      others: theirs.of,
      here: theirs.counts.get(value) ?? 0,
      values: ours.counts.size,
    }),
  );
}

/** Counts the events with each value, among those that have one. */
function tally(events: readonly Circumstances[], valuesOf: (one: Circumstances) => readonly string[]) {
  const counts = new Map<string, number>();
  let of = 0;
  for (const one of events) {
    const values = new Set(valuesOf(one).filter((value) => value.trim() !== ""));
    if (values.size > 0) of += 1;
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return { counts, of };
}

interface Compared extends Pick<Concentration, "dimension" | "value" | "failing" | "of"> {
  readonly here: number;
  readonly others: number;
  readonly values: number;
}

function compared({ dimension, value, failing, of, here, others, values }: Compared): Concentration[] {
  const [hits, draws] = thinned(failing, of);
  const [ordinary, all] = thinned(here, others);
  const chance = Math.min(1, fisherTail(hits, draws, hits + ordinary, draws + all) * values);
  return noteworthy({ dimension, value, failing, of, expected: here / others, chance });
}

function noteworthy(one: Concentration): Concentration[] {
  const [hits, draws] = thinned(one.failing, one.of);
  return one.chance <= chanceMax && wilsonLower(hits, draws) >= liftMin * one.expected ? [one] : [];
}

function thinned(hits: number, draws: number): [number, number] {
  const share = Math.min(1, countedMax / Math.max(1, draws));
  return [Math.round(hits * share), Math.round(draws * share)];
}

function observe(concentration: Concentration, at: string, name: string): Observation {
  return observeData({ kind: "telemetry", name }, concentration, {
    observed_at: at,
    fact: { kind: "concentration", concentration },
  });
}
