import { constants, setPriority } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { failingBatch } from "../report-latency/failing-batch.ts";
import type { NoiseKind, NoiseOrder } from "./noise-kinds.ts";
import { emptyLines, longestFiles, manyCauses, nestedObjects, stackIntoFiles } from "./texts.ts";

const agentsMax = 30;
const streamsPerKey = 30;
/** The pause after a refusal, whatever `Retry-After` says: the worst clients don't wait. */
const pauseMs = 200;
/** The pause before the hundreds of streams reconnect. */
const streamPauseMs = 5_000;
const batchesPerSecond = 20;
const tallyIntervalMs = 250;
const registeredSchema = z.object({ api_key: z.string() });
const openedSchema = z.object({ incident_id: z.string() });

// The service is measured, not the CPU time that the noise takes.
setPriority(constants.priority.PRIORITY_LOW);
const tally: Record<string, number> = {};

process.on("message", (order: NoiseOrder) => void make(order));
process.on("disconnect", () => process.exit(0));
setInterval(() => {
  if (process.connected) process.send?.(tally);
}, tallyIntervalMs);
process.on("error", () => process.exit(0));

/**
 * Makes everything that anyone at one address, and another organization within its rates, may do, concurrently and
 * endlessly.
 */
async function make({ url, key, kinds }: NoiseOrder): Promise<void> {
  const makers: Readonly<Record<NoiseKind, () => Promise<void>>> = {
    agents: () => anonymousAgents(url),
    analyses: () => forever(() => analyze(url, key, { error_log: nestedObjects }, "analyses")),
    files: () => forever(() => analyze(url, key, { error_log: stackIntoFiles, files: longestFiles() }, "files")),
    bodies: () => manyAtOnce(3, () => analyze(url, key, { error_log: "E", files: emptyLines() }, "bodies")),
    streams: () => streams(url, key, "streams"),
    previews: () =>
      manyAtOnce(4, () => post(url, "/api/analyze/preview", key, { error_log: nestedObjects }, "previews")),
    telemetry: () => telemetry(url, key),
  };
  await Promise.all(kinds.map((kind) => makers[kind]()));
}

async function anonymousAgents(url: string): Promise<void> {
  const keys: string[] = [];
  for (let count = 0; count < agentsMax; count++) {
    const answer = await post(url, "/api/agents/register", null, { source: "noise" }, "registrations");
    const registered = registeredSchema.safeParse(answer);
    if (registered.success) keys.push(registered.data.api_key);
  }
  await Promise.all(
    keys.flatMap((key, index) => [
      forever(() => analyze(url, key, { error_log: manyCauses }, "anonymous analyses")),
      streams(url, key, "anonymous streams"),
      ...(index < 4
        ? [forever(() => post(url, "/api/analyze/preview", key, { error_log: manyCauses }, "anonymous previews"))]
        : []),
    ]),
  );
}

async function streams(url: string, key: string, name: string): Promise<void> {
  const id = await analyze(url, key, { error_log: "E" }, name);
  if (id === null) return;
  await Promise.all(
    Array.from({ length: streamsPerKey }, () =>
      forever(async () => {
        const answer = await fetch(`${url}/api/incidents/${id}/events`, { headers: { "x-api-key": key } });
        count(name, answer.status);
        await answer.text();
      }, streamPauseMs),
    ),
  );
}

async function telemetry(url: string, key: string): Promise<void> {
  for (let index = 0; ; index++) {
    const [batch, ...more] = Array.from({ length: 20 }, () => failingBatch("handled", `noise-${index % 500}`));
    if (!batch) return;
    const events = [batch, ...more].flatMap((one) => one.events).map((event, at) => ({ ...event, seq: at + 1 }));
    void post(url, "/api/telemetry/events", key, { ...batch, events }, "batches").catch(() => undefined);
    await delay(1_000 / batchesPerSecond);
  }
}

async function forever(send: () => Promise<unknown>, waitMs: number = pauseMs): Promise<void> {
  for (;;) {
    await send().catch(() => undefined);
    await delay(waitMs);
  }
}

async function manyAtOnce(count: number, send: () => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => forever(send)));
}

/** Returns the incident's id; null when the request was refused. */
async function analyze(url: string, key: string, body: object, name: string): Promise<string | null> {
  const opened = openedSchema.safeParse(await post(url, "/api/mcp/analyze", key, body, name));
  return opened.success ? opened.data.incident_id : null;
}

async function post(url: string, path: string, key: string | null, body: object, name: string): Promise<unknown> {
  const answer = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key === null ? {} : { "x-api-key": key }) },
    body: JSON.stringify(body),
  });
  count(name, answer.status);
  return answer.json();
}

function count(name: string, status: number): void {
  const key = `${name} ${status}`;
  tally[key] = (tally[key] ?? 0) + 1;
}
