import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Incident, incidentPageSchema, incidentSchema, verifyReport } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../servers/free-port.ts";
import { bootstrapKey, eventually, type ServerProcess, startServerProcess } from "../servers/server-process.ts";

const headers = { "x-api-key": bootstrapKey };
/** Longer than a main thread is blocked before its watching thread reports it. */
const exitAfterSeconds = 25;

let dataDirectory: string;
let server: ServerProcess;
const children: ChildProcess[] = [];

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "whence-exit-"));
  const environment = { WHENCE_PROCESS_EXIT_AFTER_SECONDS: String(exitAfterSeconds) };
  server = await startServerProcess(dataDirectory, await freePort(), environment);
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await server.end("SIGKILL");
  await rm(dataDirectory, { recursive: true, force: true });
});

function start(how: string, flags: readonly string[] = []): ChildProcess {
  const program = join(import.meta.dirname, "programs/ending-process.ts");
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, TMPDIR: dataDirectory, API_KEY: bootstrapKey, ENDPOINT: server.url };
  const child = spawn(process.execPath, ["--conditions=@whence/source", ...flags, program, how], {
    env,
    stdio: "ignore",
  });
  children.push(child);
  return child;
}

async function read(path: string): Promise<unknown> {
  return (await fetch(`${server.url}${path}`, { headers })).json();
}

async function reported(count: number): Promise<Incident[] | undefined> {
  const { incidents } = incidentPageSchema.parse(await read("/api/incidents"));
  if (incidents.filter(({ status }) => status === "completed").length < count) return undefined;
  return Promise.all(incidents.map(async ({ id }) => incidentSchema.parse(await read(`/api/incidents/${id}`))));
}

describe("processes that end without reporting it", () => {
  it("are distinguished: killed, out of memory, hung; an orderly shutdown opens no incident", async () => {
    const killed = start("killed");
    const memory = start("memory", ["--max-old-space-size=128"]);
    start("hanging");
    const orderly = start("order");
    // Longer than a short-lived job, whose end is ignored.
    await delay(30_000);
    orderly.kill("SIGTERM");
    killed.kill("SIGKILL");
    if (memory.exitCode === null && memory.signalCode === null) await once(memory, "exit");

    const incidents = await eventually("three reports", () => reported(3));
    const found = incidents.map(({ service, trigger, report }) => ({
      service,
      exit: trigger.kind === "process-exit" ? trigger.exit : trigger.kind,
      category: report?.root_cause.category,
    }));
    expect(found.toSorted((left, right) => (left.service ?? "").localeCompare(right.service ?? ""))).toEqual([
      { service: "ends-by-hanging", exit: "hung", category: "infinite-loop" },
      { service: "ends-by-killed", exit: "killed", category: "unknown" },
      { service: "ends-by-memory", exit: "out-of-memory", category: "resource-exhaustion" },
    ]);
    for (const { report } of incidents) expect(report && verifyReport(report)).toEqual([]);
    const reportOf = (service: string) => incidents.find((incident) => incident.service === service)?.report;
    expect(reportOf("ends-by-killed")?.detailed_analysis).toMatch(
      /Last activity: log `at work`, [\d.]+ s before its last heartbeat\. \[e\d+\]/,
    );
    const watched = (service: string) =>
      reportOf(service)?.predictions.flatMap(({ watch }) => (watch ? [watch.kind] : []));
    expect(watched("ends-by-killed")).toEqual(["stays-down"]);
    expect(watched("ends-by-memory")).toEqual(expect.arrayContaining(["exits-again", "stays-down"]));
    const hung = reportOf("ends-by-hanging");
    expect(hung?.root_cause.location).toMatchObject({
      file: join(import.meta.dirname, "programs/ending-process.ts"),
      function: "neverComesBack",
    });
  });
});
