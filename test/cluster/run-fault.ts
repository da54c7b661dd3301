import { setTimeout as delay } from "node:timers/promises";
import { type Cluster, clusterKey } from "./cluster.ts";
import type { Fault } from "./faults.ts";
import { startLoad } from "./load.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";

/** Time with load only, before and after the fault. */
const calmMs = 1_000;
const differentFailures = 6;
/** Within the test's time, so that it says what is missing. */
const settleDeadlineMs = 1_200_000;

export interface FaultOutcome extends Outcome {
  readonly name: string;
  readonly instance: string;
  readonly faultMs: number;
  readonly refusals: number;
  readonly longestWaitMs: number;
}

/** Returns letters only, since fingerprints ignore numbers. */
const lettersOf = (number: number): string =>
  number.toString().replace(/\d/g, (digit) => "abcdefghij"[Number(digit)] ?? "");

/** Sends load, injects the fault, and returns the outcome of every event and every failure. */
export async function runFault(cluster: Cluster, { name, copies, inject }: Fault): Promise<FaultOutcome> {
  const label = lettersOf(Date.now());
  const urls = [cluster.url, ...cluster.gateways.map(({ url }) => url)];
  using load = startLoad({ urls, key: clusterKey, label, failures: differentFailures, copies });
  await delay(calmMs);
  const begin = performance.now();
  await inject(cluster);
  const faultMs = performance.now() - begin;
  await delay(calmMs);
  const sent = await load.finish();
  const outcome = await outcomeOf({
    url: cluster.url,
    key: clusterKey,
    instance: load.instance,
    sent,
    clickHouseUrl: cluster.clickHouse.url,
    deadlineMs: settleDeadlineMs,
  });
  const { refusals, longestWaitMs } = sent;
  return { name, instance: load.instance, faultMs, refusals, longestWaitMs, ...outcome };
}
