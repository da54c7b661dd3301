import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fingerprint, incidentSchema, type TelemetryEvent } from "@whence/protocol";
import { openStorage } from "@whence/storage";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { freePort } from "../servers/free-port.ts";
import { bootstrapKey, eventually, type ServerProcess, startServerProcess } from "../servers/server-process.ts";
import { batchOf, exceptionEvent, sendBatch } from "./telemetry-batch.ts";

const rounds = 8;
/** Each kind is an incident to report, so the deadline doesn't depend on how many events a fast machine sends. */
const kindsPerRound = 5;
/**
 * The kill happens within this time after the first batch: before, during, and after the insert, the decision, and the
 * report.
 */
const killWithinMs = 400;

let dataDirectory: string;
let server: ServerProcess | undefined;

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "whence-kill-"));
});
afterEach(async () => {
  await server?.end("SIGKILL");
  await rm(dataDirectory, { recursive: true, force: true });
});

const pageSchema = z.object({ incidents: z.array(incidentSchema), next: z.string().nullable() });

/** Returns all incidents, page by page. */
async function incidentsOf(url: string): Promise<z.infer<typeof incidentSchema>[]> {
  const found: z.infer<typeof incidentSchema>[] = [];
  for (let before = ""; ; ) {
    const answer = await fetch(`${url}/api/incidents?limit=100${before}`, { headers: { "x-api-key": bootstrapKey } });
    const { incidents, next } = pageSchema.parse(await answer.json());
    found.push(...incidents);
    if (next === null) return found;
    before = `&before=${next}`;
  }
}

/** Sends failures of the round's own kinds until the process is killed; returns the acknowledged ones. */
async function sendUntilKilled(running: ServerProcess, round: number): Promise<TelemetryEvent[]> {
  const acknowledged: TelemetryEvent[] = [];
  let killed: Promise<unknown> | undefined;
  for (let index = 0; running.process.signalCode === null; index++) {
    const event = exceptionEvent(
      `render${String.fromCharCode(97 + round)}${String.fromCharCode(97 + (index % kindsPerRound))}`,
      index + 1,
    );
    if (await sendBatch(running.url, bootstrapKey, batchOf([event]))) acknowledged.push(event);
    // A slow machine takes long for the first one.
    if (acknowledged.length > 0) killed ??= delay(Math.random() * killWithinMs).then(() => running.end("SIGKILL"));
    await delay(5);
  }
  await killed;
  return acknowledged;
}

describe("kill -9 at any moment", () => {
  it("loses no acknowledged event, stores each once, and completes every report after the restart", async () => {
    const port = await freePort();
    const acknowledged: TelemetryEvent[] = [];
    for (let round = 0; round < rounds; round++) {
      server = await startServerProcess(dataDirectory, port);
      acknowledged.push(...(await sendUntilKilled(server, round)));
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(rounds);

    const restarted = await startServerProcess(dataDirectory, port);
    server = restarted;
    const expected = new Set(acknowledged.map((event) => fingerprintOf(event)));
    const incidents = await eventually("all reports", async () => {
      const found = await incidentsOf(restarted.url);
      const done = new Set(found.filter(({ status }) => status === "completed").map((one) => one.fingerprint));
      return [...expected].every((one) => done.has(one)) ? found : undefined;
    });
    expect(incidents.map(({ fingerprint: one }) => one).sort()).toEqual(
      [...new Set(incidents.map((one) => one.fingerprint))].sort(),
    );
    expect(await restarted.end("SIGTERM")).toBe(0);

    const storage = await openStorage({ dataDirectory });
    try {
      const { id } = await storage.control.organizations.ensure({ slug: "default", name: "default", now: new Date() });
      const events = storage.events.forScope(id);
      for (const event of acknowledged) expect((await events.event(event.id))?.event.id).toBe(event.id);
      const counts = Map.groupBy(acknowledged, (event) => fingerprintOf(event));
      for (const [one, group] of counts)
        expect((await events.failure(one))?.events).toBeGreaterThanOrEqual(group.length);
      const stored = await events.find({
        from: "2000-01-01T00:00:00.000Z",
        to: "2100-01-01T00:00:00.000Z",
        limit: 10_000,
      });
      expect(new Set(stored.map(({ event }) => event.id)).size).toBe(stored.length);
    } finally {
      await storage.close();
    }
  });
});

function fingerprintOf({ message, exceptions }: TelemetryEvent): string {
  return fingerprint({ service: "storefront", message, exceptions });
}
