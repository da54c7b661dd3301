import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { incidentSchema } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { freePort } from "../servers/free-port.ts";
import { bootstrapKey, eventually, type ServerProcess, startServerProcess } from "../servers/server-process.ts";
import { batchOf, exceptionEvent, sendBatch } from "./telemetry-batch.ts";

const headers = { "content-type": "application/json", "x-api-key": bootstrapKey };
let folder: string;
let server: ServerProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-releases-"));
  server = await startServerProcess(join(folder, "data"), await freePort());
});
afterAll(async () => {
  await server.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});

describe("a release that is reported again after another one", () => {
  it("appears in the report as the release that the service went back to before it failed", async () => {
    for (const release of ["2.0.0", "2.0.1", "2.0.0"]) {
      const body = JSON.stringify({ service: "orders", release });
      expect((await fetch(`${server.url}/api/releases`, { method: "POST", headers, body })).status).toBe(200);
    }
    const batch = batchOf([exceptionEvent("total", 1)], { service: "orders" });
    expect(await sendBatch(server.url, bootstrapKey, batch)).toBe(true);
    const report = await eventually("the report", async () => {
      const answer = await fetch(`${server.url}/api/incidents?service=orders&status=completed`, { headers });
      const [listed] = z.object({ incidents: z.array(incidentSchema) }).parse(await answer.json()).incidents;
      if (!listed) return undefined;
      const one = await fetch(`${server.url}/api/incidents/${listed.id}`, { headers });
      return incidentSchema.parse(await one.json()).report;
    });
    const said = report.evidence.map(({ summary }) => summary).join("\n");
    expect(said).toMatch(/`orders` went back from 2\.0\.1 to 2\.0\.0 at \S+Z, as reported\./);
  });
});
