import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { incidentPageSchema } from "@whence/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../servers/free-port.ts";
import { bootstrapKey, eventually, type ServerProcess, startServerProcess } from "../servers/server-process.ts";
import { batchOf, exceptionEvent, sendBatch } from "./telemetry-batch.ts";

const kinds = 12;
const batches = 25;
const eventsPerBatch = 40;

let dataDirectory: string;
let server: ServerProcess;
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "whence-storm-"));
  server = await startServerProcess(dataDirectory, await freePort());
});
afterEach(async () => {
  await server.end("SIGKILL");
  await rm(dataDirectory, { recursive: true, force: true });
});

const functionOf = (index: number): string => `render${String.fromCharCode(97 + (index % kinds))}`;

describe("a storm of errors", () => {
  it("opens one incident for each failure, reports each, and counts every error", async () => {
    const sent = Array.from({ length: batches }, (_, batch) => {
      const first = batch * eventsPerBatch;
      const events = Array.from({ length: eventsPerBatch }, (_, index) =>
        exceptionEvent(functionOf(first + index), index + 1),
      );
      return sendBatch(server.url, bootstrapKey, batchOf(events));
    });
    expect(await Promise.all(sent)).toEqual(sent.map(() => true));

    const incidents = await eventually("all reports", async () => {
      const answer = await fetch(`${server.url}/api/incidents?limit=100`, { headers: { "x-api-key": bootstrapKey } });
      const page = incidentPageSchema.parse(await answer.json());
      const counted = page.incidents.reduce((sum, { occurrences }) => sum + (occurrences?.events ?? 0), 0);
      const done = page.incidents.filter(({ status }) => status === "completed");
      return done.length >= kinds && counted >= batches * eventsPerBatch ? page.incidents : undefined;
    });
    expect(incidents).toHaveLength(kinds);
    expect(incidents.reduce((sum, { occurrences }) => sum + (occurrences?.events ?? 0), 0)).toBe(
      batches * eventsPerBatch,
    );
  });
});
