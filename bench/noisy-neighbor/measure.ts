import { setTimeout as delay } from "node:timers/promises";
import { incidentPageSchema } from "@whence/protocol";
import { failingBatch } from "../report-latency/failing-batch.ts";

const pollIntervalMs = 20;
const readIntervalMs = 50;
const reportDeadlineMs = 120_000;
/** Not measured: the first requests compile code that later ones reuse. */
const warmUpRuns = 5;

/** Durations in milliseconds. */
export interface Measured {
  readonly report: readonly number[];
  readonly read: readonly number[];
  readonly healthz: readonly number[];
}

/** Sends failures one after another, each after the previous report, with a steady rate of reads meanwhile. */
export async function measure(
  url: string,
  key: string,
  { runs, name }: { readonly runs: number; readonly name: string },
): Promise<Measured> {
  const headers = { "x-api-key": key };
  const reading = new AbortController();
  const read = steadily(`${url}/api/incidents?limit=50`, headers, reading.signal);
  const healthz = steadily(`${url}/healthz`, {}, reading.signal);
  const reports = async (): Promise<number[]> => {
    const taken: number[] = [];
    try {
      for (let run = 0; run < runs; run++) taken.push(await reported(url, key, `${name}-${run}`));
    } finally {
      reading.abort();
    }
    return taken;
  };
  const [report, reads, answers] = await Promise.all([reports(), read, healthz]);
  return { report, read: reads, healthz: answers };
}

export async function warmUp(url: string, key: string): Promise<void> {
  await measure(url, key, { runs: warmUpRuns, name: "warm-up" });
}

/** Returns the time from the event to the finished report of a new failure. */
async function reported(url: string, key: string, service: string): Promise<number> {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const begin = performance.now();
  const body = JSON.stringify(failingBatch("handled", service));
  const answer = await fetch(`${url}/api/telemetry/events`, { method: "POST", headers, body });
  if (answer.status !== 202) throw new Error(`a batch was answered with ${answer.status}: ${await answer.text()}`);
  await answer.text();
  while (performance.now() - begin < reportDeadlineMs) {
    const page = await fetch(`${url}/api/incidents?service=${service}`, { headers });
    const [incident] = incidentPageSchema.parse(await page.json()).incidents;
    if (incident?.status === "completed") return performance.now() - begin;
    if (incident?.status === "failed") throw new Error(`the investigation of ${incident.id} failed`);
    await delay(pollIntervalMs);
  }
  throw new Error(`no report within ${reportDeadlineMs} ms`);
}

async function steadily(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<number[]> {
  const taken: Promise<number>[] = [];
  while (!signal.aborted) {
    taken.push(timed(url, headers));
    await delay(readIntervalMs);
  }
  return Promise.all(taken);
}

async function timed(url: string, headers: Record<string, string>): Promise<number> {
  const begin = performance.now();
  const answer = await fetch(url, { headers });
  await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return performance.now() - begin;
}
