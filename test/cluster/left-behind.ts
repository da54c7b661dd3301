import { setTimeout as delay } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import type { RoleProcess } from "./role-process.ts";

const lookIntervalMs = 250;
/** Far more than the holds of messages handed to processes that ended: within the test's time, so that it counts. */
const holdsDeadlineMs = 600_000;
const topics = ["telemetry", "failures", "investigations"] as const;

/** What the service still counts after everything has stopped. */
export interface LeftBehind {
  /** Messages of all topics. */
  readonly pending: number;
  readonly held: number;
  readonly dead: number;
  /** Batches between the queue and the store, of all writers. */
  readonly inHand: number;
}

const counts = ["pending", "held", "dead", "inHand"] as const;

export const nothing: LeftBehind = { pending: 0, held: 0, dead: 0, inHand: 0 };

/** Waits until nothing is left, or every hold must have ended; then returns the counts. */
export async function leftBehind(cluster: Cluster): Promise<LeftBehind> {
  for (const until = performance.now() + holdsDeadlineMs; ; ) {
    const left = await look(cluster);
    if (counts.every((name) => left[name] === nothing[name]) || performance.now() > until) return left;
    await delay(lookIntervalMs);
  }
}

async function look({ gateways, writers }: Cluster): Promise<LeftBehind> {
  const [gateway] = await Promise.all(gateways.slice(0, 1).map(metricsOf));
  const perTopic = (name: string): number =>
    sum(topics.map((topic) => gateway?.get(`whence_queue_${name}{topic="${topic}"}`)));
  const ofWriters = await Promise.all(writers.map(metricsOf));
  return {
    pending: perTopic("pending"),
    held: perTopic("held"),
    dead: perTopic("dead_letters"),
    inHand: sum(ofWriters.map((metrics) => metrics.get("whence_writer_in_hand"))),
  };
}

/** Sums counts. A missing count makes the sum NaN: a queue that doesn't answer isn't an empty one. */
function sum(counts: readonly (number | undefined)[]): number {
  return counts.reduce<number>((total, count) => total + (count ?? Number.NaN), 0);
}

/** Returns the value of each series, by its name and labels. */
async function metricsOf({ url }: RoleProcess): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}
