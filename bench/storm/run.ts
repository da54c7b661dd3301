import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { incidentPageSchema } from "@whence/protocol";
import { benchKey, startBareServer, startEmbeddedServer } from "../child-server.ts";
import { quantile } from "../quantile.ts";
import { table } from "../table.ts";
import { FailingProcess } from "./storm-batch.ts";

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "10000" },
    kinds: { type: "string", default: "50" },
    seconds: { type: "string", default: "60" },
  },
});
const [events, kinds, seconds] = [Number(values.events), Number(values.kinds), Number(values.seconds)];

const processes = 20;
/** The Node client's flush interval. */
const flushIntervalMs = 5_000;
const askIntervalMs = 100;
const calmMs = 5_000;
const reportsWithinMs = 120_000;
const answersWithinMs = 100;
const headers = { "x-api-key": benchKey };
let refused = 0;
/** Milliseconds until each batch was answered. */
const taken: number[] = [];
/** An incident, once there is one. */
let known = "none";

const directory = mkdtempSync(join(tmpdir(), "whence-storm-"));
const [server, bare] = await Promise.all([startEmbeddedServer(directory), startBareServer()]);
try {
  await run();
} finally {
  await Promise.all([server.stop(), bare.stop()]);
  rmSync(directory, { recursive: true, force: true });
}

async function run(): Promise<void> {
  await report(0);
  const list = (): Promise<void> => answered(`${server.url}/api/incidents?limit=100`);
  const [calm = []] = await answersWhile([list], delay(calmMs));
  const begin = performance.now();
  const one = (): Promise<void> => answered(`${server.url}/api/incidents/${known}`);
  const [under = [], single = [], nothing = []] = await answersWhile(
    [list, one, () => answered(bare.url)],
    Promise.all([storm(), report(kinds)]),
  );
  const reportedMs = performance.now() - begin;
  const { incidents } = await page();
  const counted = incidents.reduce((sum, { occurrences }) => sum + (occurrences?.events ?? 0), 0);
  const row = (name: string, times: readonly number[]): string[] => [
    name,
    ...[0.5, 0.99, 1].map((q) => quantile(times, q).toFixed(1)),
    (quantile(times, 0.5) / quantile(calm, 0.5)).toFixed(1),
  ];
  console.log(
    table(
      ["answers, ms", "median", "p99", "max", "ratio of medians"],
      [
        row("GET /api/incidents before the storm (baseline)", calm),
        row("GET /api/incidents", under),
        row("GET /api/incidents/{id}", single),
        row("POST /api/telemetry/events", taken),
        row("a bare server beside it", nothing),
      ],
    ),
  );
  console.log(
    table(
      [`${events} errors of ${kinds} kinds in ${seconds} s`, "is", "should be"],
      [
        ["incidents", String(incidents.length), String(kinds)],
        ["reported", String(incidents.filter(({ status }) => status === "completed").length), String(kinds)],
        ["errors counted on them", String(counted), String(events)],
        ["last report after, s", (reportedMs / 1_000).toFixed(1), `${reportsWithinMs / 1_000} at most`],
        ["slowest answer but 1 %, ms", quantile(under, 0.99).toFixed(1), `${answersWithinMs} at most`],
      ],
    ),
  );
  const holds = incidents.length === kinds && counted === events && reportedMs <= reportsWithinMs;
  if (!holds || quantile(under, 0.99) > answersWithinMs) process.exitCode = 1;
}

/** Every process sends a batch every few seconds, at different moments. */
async function storm(): Promise<void> {
  const rounds = Math.max(1, Math.round((seconds * 1_000) / flushIntervalMs));
  const batches = rounds * processes;
  const senders = Array.from({ length: processes }, () => new FailingProcess());
  const begin = performance.now();
  const sent = Array.from({ length: batches }, async (_, index) => {
    await delay((index / batches) * seconds * 1_000);
    const size = share(events, batches, index);
    const first = Math.floor((index * events) / batches);
    const sender = senders[index % processes];
    await send(sender?.batch(Array.from({ length: size }, (_, offset) => (first + offset) % kinds)));
  });
  await Promise.all(sent);
  console.log(
    `sent ${events} errors in ${((performance.now() - begin) / 1_000).toFixed(1)} s; ${refused} batches were refused and sent again`,
  );
}

/** Returns the share of `total` for the part at `index` of `parts`. */
function share(total: number, parts: number, index: number): number {
  return Math.floor(((index + 1) * total) / parts) - Math.floor((index * total) / parts);
}

/** Sends a batch as clients do: a temporary refusal is retried when the service says. */
async function send(batch: unknown): Promise<void> {
  for (;;) {
    const begin = performance.now();
    const answer = await fetch(`${server.url}/api/telemetry/events`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(batch),
    });
    const text = await answer.text();
    taken.push(performance.now() - begin);
    if (answer.status === 202) return;
    if (answer.status !== 503 && answer.status !== 429)
      throw new Error(`a batch was answered with ${answer.status}: ${text}`);
    refused += 1;
    await delay(Number(answer.headers.get("retry-after") ?? 1) * 1_000);
  }
}

/** Resolves when this many incidents have their report, and their counts no longer change. */
async function report(wanted: number): Promise<void> {
  const deadline = performance.now() + seconds * 1_000 + 2 * reportsWithinMs;
  for (let before = -1; performance.now() < deadline; ) {
    const { incidents } = await page();
    const counted = incidents.reduce((sum, { occurrences }) => sum + (occurrences?.events ?? 0), 0);
    const reported = incidents.filter(({ status }) => status === "completed").length;
    if (reported >= wanted && counted === before && (wanted === 0 || counted >= events)) return;
    before = counted;
    await delay(flushIntervalMs / 5);
  }
  throw new Error(`not all of ${wanted} incidents were reported in time`);
}

async function page() {
  const answer = await fetch(`${server.url}/api/incidents?limit=100`, { headers });
  const found = incidentPageSchema.parse(await answer.json());
  known = found.incidents.at(-1)?.id ?? known;
  return found;
}

/** Returns the latencies of each kind of request, sent at a steady rate until `work` is done. */
async function answersWhile(ask: readonly (() => Promise<void>)[], work: Promise<unknown>): Promise<number[][]> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  const asked = ask.map((): Promise<number>[] => []);
  for (let turn = 0; !isDone; turn = (turn + 1) % ask.length) {
    // At different moments, so that they don't wait for each other here.
    const question = ask[turn];
    if (question) asked[turn]?.push(timed(question));
    await delay(askIntervalMs / ask.length);
  }
  await done;
  return Promise.all(asked.map((times) => Promise.all(times)));
}

async function timed(question: () => Promise<void>): Promise<number> {
  const begin = performance.now();
  await question();
  return performance.now() - begin;
}

async function answered(url: string): Promise<void> {
  await (await fetch(url, { headers })).text();
}
