import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openStorage } from "@whence/storage";
import { benchKey, startEmbeddedServer } from "../child-server.ts";
import { table } from "../table.ts";
import { fetchSamples, readSamples, type Sample } from "./samples.ts";

const { values: options } = parseArgs({
  options: {
    /** A checkout of the collection; fetched otherwise. */
    from: { type: "string" },
  },
});

const project = { id: "4711", service: "samples", env: "PROD", origins: [] };
const sentryKey = `${benchKey}_samples`;
const settledWithinMs = 600_000;
const lookIntervalMs = 1_000;

const directory = mkdtempSync(join(tmpdir(), "whence-samples-"));
const storageOptions = { dataDirectory: join(directory, "data") };
try {
  const samples = readSamples(options.from ?? fetched());
  const scopeId = await addKey();
  const server = await startEmbeddedServer(directory);
  const answers: Answered[] = [];
  for (const sample of samples) answers.push(...(await send(server.url, sample)));
  const metrics = await settled(server.url);
  await server.stop();
  const stored = await storedOf(scopeId, answers);
  print(samples.length, answers, stored, metrics);
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/** What one sample was answered with, in one of the two ways to send it. */
interface Answered {
  readonly name: string;
  readonly route: "store" | "envelope";
  readonly id: string;
  readonly status: number;
  readonly reason: string;
}

function fetched(): string {
  const folder = join(directory, "samples");
  mkdirSync(folder);
  fetchSamples(folder);
  return folder;
}

/** Adds a DSN to the service's first organization. */
async function addKey(): Promise<string> {
  const storage = await openStorage(storageOptions);
  const now = new Date();
  const { id } = await storage.control.organizations.ensure({ slug: "default", name: "default", now });
  const hash = createHash("sha256").update(sentryKey).digest("hex");
  await storage.control.keys.add({
    ...({ organizationId: id, name: "samples", prefix: "", scope: "sentry", project, now } as const),
    hash,
  });
  await storage.close();
  return id;
}

/** Sends an event as `store` and in an envelope, each under an ID of its own and as of now, since many have neither. */
async function send(url: string, { name, event, text }: Sample): Promise<readonly Answered[]> {
  const answers: Answered[] = [];
  for (const route of ["store", "envelope"] as const) {
    const id = randomUUID();
    const eventId = id.replaceAll("-", "");
    const payload = event ? JSON.stringify({ ...event, event_id: eventId, timestamp: Date.now() / 1_000 }) : text;
    const header = JSON.stringify({ type: "event", length: Buffer.byteLength(payload) });
    const body = route === "store" ? payload : `${JSON.stringify({ event_id: eventId })}\n${header}\n${payload}\n`;
    const answer = await fetch(`${url}/api/${project.id}/${route}/`, {
      ...{ method: "POST", body },
      headers: { "x-sentry-auth": `Sentry sentry_version=7, sentry_key=${sentryKey}` },
    });
    const reason = answer.headers.get("x-sentry-error") ?? "";
    await answer.arrayBuffer();
    answers.push({ name, route, id, status: answer.status, reason });
  }
  return answers;
}

interface Settled {
  readonly deadLetters: number;
  readonly completed: number;
  readonly failed: number;
}

/** Waits until everything is stored, decided, and investigated, and returns what couldn't be. */
async function settled(url: string): Promise<Settled> {
  const begin = performance.now();
  let last = "";
  for (;;) {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    const sum = (pattern: RegExp): number =>
      [...metrics.matchAll(pattern)].reduce((total, [, value]) => total + Number(value), 0);
    const waiting = sum(/^whence_queue_(?:pending|held)\{[^}]*\} (\S+)/gm) + sum(/^whence_outbox_pending (\S+)/gm);
    const figures = {
      deadLetters: sum(/^whence_queue_dead_letters\{[^}]*\} (\S+)/gm),
      completed: sum(/^whence_investigations_total\{outcome="completed"\} (\S+)/gm),
      failed: sum(/^whence_investigations_total\{outcome="failed"\} (\S+)/gm),
    };
    const seen = JSON.stringify(figures);
    // Between two topics a message may be in neither.
    if (waiting === 0 && seen === last) return figures;
    if (performance.now() - begin > settledWithinMs) throw new Error(`${waiting} messages are still waiting`);
    last = waiting === 0 ? seen : "";
    await delay(lookIntervalMs);
  }
}

/** Returns the IDs of events that are in the event store. */
async function storedOf(scopeId: string, answers: readonly Answered[]): Promise<ReadonlySet<string>> {
  const storage = await openStorage(storageOptions);
  const events = storage.events.forScope(scopeId);
  const stored = new Set<string>();
  for (const { id } of answers) if (await events.event(id)) stored.add(id);
  await storage.close();
  return stored;
}

function print(
  samples: number,
  answers: readonly Answered[],
  stored: ReadonlySet<string>,
  { deadLetters, completed, failed }: Settled,
): void {
  console.log(`${samples} published events, each sent by both routes\n`);
  const rows = (["store", "envelope"] as const).map((route) => {
    const sent = answers.filter((one) => one.route === route);
    const accepted = sent.filter(({ status }) => status === 200);
    const kept = accepted.filter(({ id }) => stored.has(id));
    return [route, sent.length, accepted.length, kept.length, sent.length - accepted.length].map(String);
  });
  console.log(table(["by", "sent", "accepted", "stored", "refused"], rows));
  for (const { name, route, status, reason } of answers.filter((one) => one.status !== 200)) {
    console.log(`${name} by ${route}: ${status} ${reason}`);
  }
  console.log(`\n${completed} incidents investigated, ${failed} failed, ${deadLetters} dead letters`);
  const wrong = answers.filter(({ status, id, reason }) =>
    status === 200 ? !stored.has(id) : stored.has(id) || reason === "" || status >= 500,
  );
  for (const { name, route, status } of wrong) console.log(`WRONG: ${name} by ${route}: ${status}`);
  if (wrong.length > 0 || failed > 0 || deadLetters > 0) process.exitCode = 1;
}
