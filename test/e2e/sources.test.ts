import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { incidentSchema, type Report } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { freePort } from "../servers/free-port.ts";
import { bootstrapKey, eventually, type ServerProcess, startServerProcess } from "../servers/server-process.ts";
import { batchOf, eventId, sendBatch } from "./telemetry-batch.ts";

const files = {
  "src/page.ts": `import { customerOf } from "./customers.ts";

export function page(id: string): string {
  const customer = customerOf(id);
  return customer.name.toUpperCase();
}
`,
  "src/customers.ts": `const names = new Map([["1", { name: "Ada" }]]);

export function customerOf(id: string) {
  return names.get(id);
}
`,
  ".env": "TOKEN=never-shown\n",
};

let folder: string;
let server: ServerProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-sources-"));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, "checkout", path)), { recursive: true });
    await writeFile(join(folder, "checkout", path), text);
  }
  const environment = { WHENCE_SOURCES: `storefront=${join(folder, "checkout")}` };
  server = await startServerProcess(join(folder, "data"), await freePort(), environment);
});
afterAll(async () => {
  await server.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});

/** Returns the report on a crash that is reported with its stack and without code. */
async function reportOn(service: string): Promise<Report> {
  const message = "Cannot read properties of undefined (reading 'name')";
  const file = "/app/src/page.ts";
  const frames = [{ file, function: "page", line: 5, column: 19, in_app: true }];
  const stack = `TypeError: ${message}\n    at page (${file}:5:19)`;
  const event = {
    id: eventId(),
    seq: 1,
    timestamp: new Date().toISOString(),
    message,
    type: "exception" as const,
    level: "critical" as const,
    mechanism: { type: "uncaughtException", handled: false },
    exceptions: [{ type: "TypeError", message, stack, frames }],
  };
  expect(await sendBatch(server.url, bootstrapKey, batchOf([event], { service }))).toBe(true);
  return eventually("the report", async () => {
    const headers = { "x-api-key": bootstrapKey };
    const answer = await fetch(`${server.url}/api/incidents?service=${service}&status=completed`, { headers });
    const [listed] = z.object({ incidents: z.array(incidentSchema) }).parse(await answer.json()).incidents;
    if (!listed) return undefined;
    const one = await fetch(`${server.url}/api/incidents/${listed.id}`, { headers });
    return incidentSchema.parse(await one.json()).report;
  });
}

describe("a service whose checkout is configured", () => {
  it("gets reports that quote files which no event contained, with their version", async () => {
    const { evidence, not_checked: notChecked } = await reportOn("storefront");
    const quoted = evidence.filter(({ source }) => source.kind === "source_file");
    expect(quoted.map(({ source }) => source)).toContainEqual({
      kind: "source_file",
      name: "/app/src/customers.ts",
      version: "on disk",
    });
    expect(quoted.some(({ excerpt }) => excerpt.includes("return names.get(id)"))).toBe(true);
    expect(JSON.stringify({ evidence, notChecked })).not.toContain("never-shown");
  });
});

describe("a service without a checkout", () => {
  it("gets a report that quotes no file", async () => {
    const { evidence } = await reportOn("orders");
    expect(evidence.filter(({ source }) => source.kind === "source_file")).toEqual([]);
  });
});
