import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failureListSchema, incidentSchema } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { freePort } from "../servers/free-port.ts";
import {
  bootstrapKey,
  eventually,
  type ServerProcess,
  spawnServer,
  startServerProcess,
} from "../servers/server-process.ts";
import { batchOf, exceptionEvent, sendBatch } from "./telemetry-batch.ts";

let dataDirectory: string;
let server: ServerProcess;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "whence-server-"));
  server = await startServerProcess(dataDirectory, await freePort());
});
afterAll(async () => {
  await server.end("SIGTERM");
  await rm(dataDirectory, { recursive: true, force: true });
});

async function ask<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.infer<Schema>> {
  const answer = await fetch(server.url + path, { headers: { "x-api-key": bootstrapKey } });
  return schema.parse(await answer.json());
}

const askIncidents = async (query = "") =>
  (await ask(`/api/incidents${query}`, z.object({ incidents: z.array(incidentSchema) }))).incidents;
const askFailures = async (query = "") => (await ask(`/api/failures${query}`, failureListSchema)).failures;

/** Runs a server that must fail to start; returns its output and exit code. */
async function failedStart(environment: Record<string, string>): Promise<{ code: number | null; said: string }> {
  const child = spawnServer(environment);
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  await once(child, "close");
  return { code: child.exitCode, said };
}

describe("the embedded service", () => {
  it("prints where it listens, where its data is, how to sign in, and how to send the first event", () => {
    const printed = server.output();
    expect(printed).toContain(`listens on ${server.url}`);
    expect(printed).toContain(dataDirectory);
    expect(printed).toMatch(/\/setup\?token=\S+/);
    expect(printed).toContain("/api/mcp/analyze");
    expect(printed).not.toContain(bootstrapKey);
  });

  it("keeps its secret key readable only by its owner", async () => {
    expect((await stat(join(dataDirectory, "secret-key"))).mode & 0o777).toBe(0o600);
  });

  it("turns a failure from a client into one completed incident, which a second occurrence joins", async () => {
    expect(await sendBatch(server.url, bootstrapKey, batchOf([exceptionEvent("renderOnce", 1)]))).toBe(true);
    const completed = async () => (await askIncidents("?status=completed&service=storefront"))[0];
    const incident = await eventually("the report", completed);
    expect(await sendBatch(server.url, bootstrapKey, batchOf([exceptionEvent("renderOnce", 1)]))).toBe(true);
    const failures = await eventually("the second decision", async () => {
      const found = await askFailures();
      return found[0]?.decision.outcome === "joined" ? found : undefined;
    });
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatchObject({ incident_id: incident.id });
    expect(failures[0]?.decisions).toHaveLength(2);
    expect(await askIncidents()).toHaveLength(1);
  });

  it("records why a failure in another environment is skipped", async () => {
    const batch = batchOf([exceptionEvent("renderStaging", 1)], { env: "STAGING" });
    expect(await sendBatch(server.url, bootstrapKey, batch)).toBe(true);
    const staging = async () => (await askFailures()).find(({ env }) => env === "STAGING");
    const skipped = await eventually("the decision", staging);
    expect(skipped).toMatchObject({
      incident_id: null,
      events: 1,
      decision: { outcome: "skipped", rule: "env-not-monitored" },
    });
    expect(await askFailures("?outcome=skipped")).toEqual([skipped]);
    expect(await askFailures("?rule=budget-spent")).toEqual([]);
  });
});

describe("a failing start", () => {
  it.each([
    [{ PORT: "http" }, /^PORT is "http", but must be a port number/],
    [{ PORT: "0" }, /^PORT is "0"/],
    [{ WHENCE_APP_URL: "ftp://x" }, /^WHENCE_APP_URL is "ftp:\/\/x"/],
    [{ WHENCE_SIGNUP: "yes" }, /^WHENCE_SIGNUP is "yes", but must be open or closed/],
    [{ WHENCE_RETENTION_DAYS: "0" }, /^WHENCE_RETENTION_DAYS is "0"/],
    [{ WHENCE_SOURCES: "/srv/orders" }, /^WHENCE_SOURCES is "\/srv\/orders", but must be service=\/absolute\/folder/],
  ])("prints one line that names the variable: %j", async (environment, line) => {
    const { code, said } = await failedStart(environment);
    expect(code).toBe(1);
    expect(said).toMatch(line);
    expect(said.trim().split("\n")).toHaveLength(1);
  });

  it("does not repeat a secret", async () => {
    const { said } = await failedStart({ WHENCE_SECRET_KEY: "c2hvcnQ=" });
    expect(said).toMatch(/^WHENCE_SECRET_KEY is .*32 random bytes in base64/);
    expect(said).not.toContain("c2hvcnQ=");
  });

  it("names the address that another program uses", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" ? String(address?.port) : "";
    const folder = await mkdtemp(join(tmpdir(), "whence-taken-"));
    const { code, said } = await failedStart({ PORT: port, WHENCE_DATA_DIR: folder });
    expect(code).toBe(1);
    expect(said).toContain(`127.0.0.1:${port} is in use by another program`);
    other.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("names the data directory that another process uses", async () => {
    const { code, said } = await failedStart({ PORT: String(await freePort()), WHENCE_DATA_DIR: dataDirectory });
    expect(code).toBe(1);
    expect(said).toContain("WHENCE_ERR_DATA_DIRECTORY_IN_USE");
    expect(said).toContain(dataDirectory);
  });
});
