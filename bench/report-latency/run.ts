import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { benchKey, startEmbeddedServer } from "../child-server.ts";
import { quantile } from "../quantile.ts";
import { table } from "../table.ts";
import { type FailureKind, failingBatch } from "./failing-batch.ts";

const runs = Number(process.argv[2] ?? 50);
/** Not measured: the first requests compile code that later ones reuse. */
const warmUpRuns = 5;
const pollIntervalMs = 5;
const reportDeadlineMs = 60_000;
/** For a report that exists already. */
const refinedPollIntervalMs = 100;
const headers = { "x-api-key": benchKey, "content-type": "application/json" };

const names: Readonly<Record<FailureKind, string>> = {
  crash: "crashes",
  handled: "handled errors after a failed call",
};

/** Durations of one run in milliseconds. */
interface Timing {
  readonly healthz: number;
  readonly accepted: number;
  readonly report: number;
}

/** The refinement of a report that isn't final. */
const refinedSchema = z.object({ refinement: z.object({ refined_at: z.string().nullable() }) });
const pageSchema = z.object({ incidents: z.array(z.object({ id: z.string(), status: z.string() })) });

const directory = mkdtempSync(join(tmpdir(), "whence-report-latency-"));
const server = await startEmbeddedServer(directory);
try {
  for (const kind of ["crash", "handled"] as const) await measureAll(kind, server.url);
} finally {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
}

async function measureAll(kind: FailureKind, url: string): Promise<void> {
  const timings: Timing[] = [];
  const refined: Promise<number>[] = [];
  for (let run = 0; run < warmUpRuns + runs; run++) {
    const { refinedIn, ...timing } = await measure(url, kind, `bench-${kind}-${run}`);
    timings.push(timing);
    refined.push(refinedIn);
  }
  print(kind, timings.slice(warmUpRuns), (await Promise.all(refined)).slice(warmUpRuns));
}

/**
 * Measures one round trip to `/healthz`, then one failure: the times to the 202, the first report, and the refined one.
 */
async function measure(
  url: string,
  kind: FailureKind,
  service: string,
): Promise<Timing & { readonly refinedIn: Promise<number> }> {
  const healthz = await timed(() => expectStatus(`${url}/healthz`, 200));
  const body = JSON.stringify(failingBatch(kind, service));
  const begin = performance.now();
  await expectStatus(`${url}/api/telemetry/events`, 202, { method: "POST", headers, body });
  const accepted = performance.now() - begin;
  const id = await reported(`${url}/api/incidents?service=${service}`);
  const report = performance.now() - begin;
  const refinedIn = refined(`${url}/api/incidents/${id}`).then(() => performance.now() - begin);
  return { healthz, accepted, report, refinedIn };
}

/** Returns the incident once it has its first report. */
async function reported(url: string): Promise<string> {
  const deadline = performance.now() + reportDeadlineMs;
  while (performance.now() < deadline) {
    const { incidents } = pageSchema.parse(JSON.parse(await expectStatus(url, 200, { headers })));
    const [incident] = incidents;
    if (incident?.status === "completed") return incident.id;
    if (incident?.status === "failed") throw new Error(`the investigation of ${incident.id} failed`);
    await delay(pollIntervalMs);
  }
  throw new Error(`no report within ${reportDeadlineMs} ms`);
}

/** Resolves when the report includes the neighbors' failures. */
async function refined(url: string): Promise<void> {
  const deadline = performance.now() + reportDeadlineMs;
  while (performance.now() < deadline) {
    await delay(refinedPollIntervalMs);
    const { refinement } = refinedSchema.parse(JSON.parse(await expectStatus(url, 200, { headers })));
    if (refinement.refined_at !== null) return;
  }
  throw new Error(`${url} was not refined within ${reportDeadlineMs} ms`);
}

async function expectStatus(url: string, status: number, init?: RequestInit): Promise<string> {
  const answer = await fetch(url, init);
  const text = await answer.text();
  if (answer.status !== status) throw new Error(`${url} answered ${answer.status}: ${text}`);
  return text;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

function print(kind: FailureKind, timings: readonly Timing[], refinedIn: readonly number[]): void {
  const healthz = timings.map((timing) => timing.healthz);
  const baseline = quantile(healthz, 0.5);
  const row = (name: string, values: readonly number[]): string[] => [
    name,
    ...[0.5, 0.95, 1].map((q) => quantile(values, q).toFixed(2)),
    (quantile(values, 0.5) / baseline).toFixed(1),
  ];
  const of = (name: "accepted" | "report"): number[] => timings.map((timing) => timing[name]);
  const rows = [
    row("round trip to /healthz (baseline)", healthz),
    row("sent → 202 (on disk)", of("accepted")),
    row("sent → first report", of("report")),
    row("sent → refined with what neighbors sent", refinedIn),
  ];
  console.log(table([`${timings.length} ${names[kind]}, ms`, "median", "p95", "max", "ratio of medians"], rows));
}
