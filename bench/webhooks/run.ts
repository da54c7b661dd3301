import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { secondMs } from "@whence/protocol";
import { openStorage } from "@whence/storage";
import { mintWebhookSecret, signatureHeaders } from "../../services/vendors/src/standard-webhooks/signature.ts";
import { startBareServer, startEmbeddedServer } from "../child-server.ts";
import { quantile } from "../quantile.ts";
import { table } from "../table.ts";

const { values: options } = parseArgs({
  options: {
    /** Webhooks per second. */
    rate: { type: "string", default: "200" },
    seconds: { type: "string", default: "30" },
  },
});
const [rate, seconds] = [Number(options.rate), Number(options.seconds)];
const count = rate * seconds;
/** The service's latency limit at p99. */
const limitMs = 100;
const investigatedWithinMs = 900_000;
const lookIntervalMs = 500;

const directory = mkdtempSync(join(tmpdir(), "whence-webhooks-"));
const secretKey = randomBytes(32);
const storageOptions = { dataDirectory: join(directory, "data"), secretKeys: [secretKey] };
try {
  const source = await addSource();
  const bare = await startBareServer();
  const baseline = await load(`${bare.url}/api/webhooks/${source.id}`, source.secret, 200);
  await bare.stop();
  const server = await startEmbeddedServer(directory, { WHENCE_SECRET_KEY: secretKey.toString("base64") });
  const ours = await load(`${server.url}/api/webhooks/${source.id}`, source.secret, 200);
  const investigatedMs = await untilInvestigated(server.url);
  await server.stop();
  print({ baseline, ours, investigatedMs, ...(await countIncidents(source.scopeId)) });
} finally {
  rmSync(directory, { recursive: true, force: true });
}

interface Source {
  readonly id: string;
  readonly scopeId: string;
  readonly secret: string;
}

/** Adds a source to the service's first organization. */
async function addSource(): Promise<Source> {
  const storage = await openStorage(storageOptions);
  const now = new Date();
  const { id: scopeId } = await storage.control.organizations.ensure({ slug: "default", name: "default", now });
  const secret = mintWebhookSecret();
  const { id } = await storage.control.scope(scopeId).alertSources.add({
    ...({ kind: "webhook", name: "bench", inputs: {}, secrets: { secret } } as const),
    ...{ by: { id: "bench", name: "bench" }, now },
  });
  await storage.close();
  return { id, scopeId, secret };
}

/** Sends at a fixed rate, regardless of the answers, and returns each latency from when the webhook was due. */
async function load(url: string, secret: string, expected: number): Promise<readonly number[]> {
  const begin = performance.now();
  const sending: Promise<number>[] = [];
  for (let index = 0; index < count; index += 1) {
    const dueMs = begin + (index * secondMs) / rate;
    await delay(Math.max(0, dueMs - performance.now()));
    sending.push(send(url, { secret, index, dueMs, expected }));
  }
  return Promise.all(sending);
}

interface Sending {
  readonly secret: string;
  readonly index: number;
  readonly dueMs: number;
  readonly expected: number;
}

async function send(url: string, { secret, index, dueMs, expected }: Sending): Promise<number> {
  const body = JSON.stringify({
    ...{ key: `alert-${index}`, title: `checkout ${index} is failing`, service: `checkout-${index % 20}` },
    text: `TypeError: Cannot read properties of undefined (reading 'total')\n    at pay (/app/pay-${index}.js:3:9)`,
  });
  const headers = {
    "content-type": "application/json",
    ...signatureHeaders(secret, `delivery-${index}`, body, Date.now()),
  };
  const answer = await fetch(url, { method: "POST", headers, body });
  await answer.arrayBuffer();
  if (answer.status !== expected) throw new Error(`webhook ${index} was answered with ${answer.status}`);
  return performance.now() - dueMs;
}

/** Returns the milliseconds until as many investigations were completed as webhooks were sent. */
async function untilInvestigated(url: string): Promise<number> {
  const begin = performance.now();
  while (performance.now() - begin < investigatedWithinMs) {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    const [, completed = "0"] = /^whence_investigations_total\{outcome="completed"\} (\d+)/m.exec(metrics) ?? [];
    if (Number(completed) >= count) return performance.now() - begin;
    await delay(lookIntervalMs);
  }
  return Number.NaN;
}

/** Counts what is in storage afterwards. */
async function countIncidents(scopeId: string): Promise<{ readonly incidents: number; readonly completed: number }> {
  const storage = await openStorage(storageOptions);
  const rows: string[] = [];
  for await (const { table: name, row } of storage.control.scope(scopeId).exportRows()) {
    if (name === "incident") rows.push(String(row.status));
  }
  await storage.close();
  return { incidents: rows.length, completed: rows.filter((status) => status === "completed").length };
}

interface Measured {
  readonly baseline: readonly number[];
  readonly ours: readonly number[];
  readonly investigatedMs: number;
  readonly incidents: number;
  readonly completed: number;
}

function print({ baseline, ours, investigatedMs, incidents, completed }: Measured): void {
  const row = (name: string, latencies: readonly number[]): string[] => [
    name,
    ...[0.5, 0.99, 1].map((q) => `${quantile(latencies, q).toFixed(1)} ms`),
  ];
  console.log(`${rate} webhooks a second for ${seconds} s, each about a failure of its own\n`);
  console.log(
    table(["answered by", "median", "p99", "slowest"], [row("a bare server", baseline), row("Whence", ours)]),
  );
  const rest = (investigatedMs / secondMs).toFixed(0);
  console.log(`\n${incidents} incidents, ${completed} investigated; the last ${rest} s after the last webhook`);
  if (quantile(ours, 0.99) > limitMs || incidents !== count || completed !== count) process.exitCode = 1;
}
