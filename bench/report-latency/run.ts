import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { benchKey, startEmbeddedServer } from "../child-server.ts";
import { quantile } from "../quantile.ts";
import { table } from "../table.ts";
import { crashBatch } from "./crash-batch.ts";

const runs = Number(process.argv[2] ?? 50);
/** Not measured: the first requests compile what the rest run. */
const warmUpRuns = 5;
const pollIntervalMs = 5;
const reportDeadlineMs = 30_000;
const headers = { "x-api-key": benchKey, "content-type": "application/json" };

/** Milliseconds of one run. */
interface Timing {
  readonly healthz: number;
  readonly accepted: number;
  readonly report: number;
}

const directory = mkdtempSync(join(tmpdir(), "whence-report-latency-"));
const server = await startEmbeddedServer(directory);
try {
  const timings: Timing[] = [];
  for (let run = 0; run < warmUpRuns + runs; run++) timings.push(await measure(server.url, `bench-${run}`));
  print(timings.slice(warmUpRuns));
} finally {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
}

/** One round trip to `/healthz`, then one crash: how long until the 202, how long until the completed report. */
async function measure(url: string, service: string): Promise<Timing> {
  const healthz = await timed(() => expectStatus(`${url}/healthz`, 200));
  const body = JSON.stringify(crashBatch(service));
  const begin = performance.now();
  await expectStatus(`${url}/api/telemetry/events`, 202, { method: "POST", headers, body });
  const accepted = performance.now() - begin;
  await completed(`${url}/api/incidents?service=${service}`);
  return { healthz, accepted, report: performance.now() - begin };
}

async function completed(url: string): Promise<void> {
  const deadline = performance.now() + reportDeadlineMs;
  while (performance.now() < deadline) {
    const page = await expectStatus(url, 200, { headers });
    if (page.includes('"status":"completed"')) return;
    if (page.includes('"status":"failed"')) throw new Error(`the investigation failed: ${page}`);
    await delay(pollIntervalMs);
  }
  throw new Error(`no report within ${reportDeadlineMs} ms`);
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

function print(timings: readonly Timing[]): void {
  const baseline = quantile(
    timings.map(({ healthz }) => healthz),
    0.5,
  );
  const row = (name: string, values: readonly number[]): string[] => [
    name,
    ...[0.5, 0.95, 1].map((q) => quantile(values, q).toFixed(2)),
    (quantile(values, 0.5) / baseline).toFixed(1),
  ];
  console.log(
    table(
      [`${timings.length} crashes, ms`, "median", "p95", "max", "ratio of medians"],
      [
        row(
          "round trip to /healthz (baseline)",
          timings.map(({ healthz }) => healthz),
        ),
        row(
          "sent → 202 (on disk)",
          timings.map(({ accepted }) => accepted),
        ),
        row(
          "sent → report completed",
          timings.map(({ report }) => report),
        ),
      ],
    ),
  );
}
