import { randomBytes } from "node:crypto";
import { incidentSchema } from "@whence/protocol";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { type RoleProcess, roleProcess } from "../cluster/role-process.ts";
import { startClickHouseFront } from "../servers/clickhouse-front.ts";
import { freePort } from "../servers/free-port.ts";
import { startNatsServer } from "../servers/nats-server.ts";
import { startPostgres } from "../servers/postgres.ts";
import { bootstrapKey, eventually } from "../servers/server-process.ts";

const parts = new AsyncDisposableStack();
let api: RoleProcess;
let analyzer: RoleProcess;

beforeAll(async () => {
  const [nats, postgres, clickHouse] = await Promise.all([startNatsServer(), startPostgres(), startClickHouseFront()]);
  for (const server of [nats, postgres, clickHouse]) parts.defer(() => server.stop());
  const environment = {
    NATS_URL: nats.urls,
    CLICKHOUSE_URL: clickHouse.url,
    DATABASE_URL: await postgres.database(),
    WHENCE_SECRET_KEY: randomBytes(32).toString("base64"),
    WHENCE_BOOTSTRAP_API_KEY: bootstrapKey,
    PATH: "/usr/bin:/bin",
  };
  const process = async (role: "api" | "analyzer"): Promise<RoleProcess> => {
    const made = roleProcess(role, { role, host: "127.0.0.1", port: await freePort(), environment, under: [] });
    parts.defer(async () => void (await made.end("SIGKILL")));
    return made;
  };
  [api, analyzer] = [await process("api"), await process("analyzer")];
  await api.start();
});
afterAll(() => parts.disposeAsync());

const headers = { "x-api-key": bootstrapKey, "content-type": "application/json" };

/** Asks the process of the role `api` for an analysis; returns the incident's id. */
async function analyze(line: number): Promise<string> {
  const error = `TypeError: Cannot read properties of undefined (reading 'total')\n    at pay (/app/pay.js:${line}:9)`;
  const body = JSON.stringify({ error_log: error });
  const answer = await fetch(`${api.url}/api/mcp/analyze`, { method: "POST", headers, body });
  return z.object({ incident_id: z.string() }).parse(await answer.json()).incident_id;
}

async function incidentOf(id: string) {
  return incidentSchema.parse(await (await fetch(`${api.url}/api/incidents/${id}`, { headers })).json());
}

/** Reads a metric of a process: the sum of all its samples. */
async function metric({ url }: RoleProcess, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const samples = text.split("\n").filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
  return samples.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

const completed = (id: string) =>
  eventually(`the report of ${id}`, async () => {
    const incident = await incidentOf(id);
    return incident.status === "completed" ? incident : undefined;
  });

/** Waits until the API has published work that no process takes. */
async function queued(): Promise<void> {
  const pending = async () => (await metric(api, "whence_queue_pending")) > 0 || undefined;
  await eventually("the message on the queue", pending);
}

it("queues an analysis and leaves it there while no analyzer runs", async () => {
  const id = await analyze(3);
  await queued();
  expect(await metric(api, "whence_queue_held")).toBe(0);
  expect((await incidentOf(id)).status).toBe("queued");
});

it("shows the report of an analyzer, and takes none of its jobs", async () => {
  await analyzer.start();
  const ids = [];
  for (const line of [4, 5, 6, 7]) ids.push(await analyze(line));
  for (const id of ids) expect((await completed(id)).report?.root_cause_summary).toContain("total");
  expect(await metric(analyzer, "whence_investigations_total")).toBeGreaterThanOrEqual(5);
  expect(await metric(api, "whence_investigations_total")).toBe(0);
  expect(await analyzer.end("SIGTERM")).toBe(0);
  const last = await analyze(8);
  await queued();
  expect([await metric(api, "whence_queue_held"), (await incidentOf(last)).status]).toEqual([0, "queued"]);
});
