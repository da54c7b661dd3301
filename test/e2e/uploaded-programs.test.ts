import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { incidentSchema, type Report, type TelemetryEvent } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { freePort } from "../servers/free-port.ts";
import { bootstrapKey, eventually, type ServerProcess, startServerProcess } from "../servers/server-process.ts";
import { batchOf, eventId, sendBatch } from "./telemetry-batch.ts";

const whence = join(import.meta.dirname, "../../sdks/agent/src/main.ts");
const manifest = (version: string) => `{\n  "dependencies": {\n    "left-pad": "${version}"\n  }\n}\n`;
const lock = (version: string) => `{
  "packages": {
    "node_modules/left-pad": {
      "version": "${version}",
      "resolved": "https://registry.example.com/left-pad/-/left-pad-${version}.tgz"
    }
  }
}
`;
const shared = {
  "src/totals.js": `import { db } from "./db.js";

export async function totalOf(id) {
  const { rows } = await db.query("SELECT total FROM orders WHERE id = $1", [id]);
  return rows[0].total;
}
`,
  "src/db.js": "export const db = connect();\n",
  ".env": "PASSWORD=never-shown\n",
  "test/provoke.js": "await totalOf(1);\n",
};
const released = {
  "1.9.0": {
    ...shared,
    ...{ "package.json": manifest("^1.2.0"), "package-lock.json": lock("1.2.0"), "config/prices.json": "[1]\n" },
  },
  "2.0.0": {
    ...shared,
    ...{ "package.json": manifest("^2.0.0"), "package-lock.json": lock("2.0.0"), "config/prices.json": "[2]\n" },
    "migrations/004.sql": "-- amounts have a currency now\nALTER TABLE orders RENAME COLUMN total TO amount;\n",
  },
};

let folder: string;
let server: ServerProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-programs-"));
  server = await startServerProcess(join(folder, "data"), await freePort());
});
afterAll(async () => {
  await server.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});

async function upload(release: keyof typeof released): Promise<void> {
  const cwd = join(folder, release);
  for (const [path, text] of Object.entries(released[release])) {
    await mkdir(dirname(join(cwd, path)), { recursive: true });
    await writeFile(join(cwd, path), text);
  }
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, WHENCE_URL: server.url, WHENCE_API_KEY: bootstrapKey };
  const args = ["sources", "upload", "--service", "orders", "--release", release];
  await promisify(execFile)(process.execPath, ["--conditions=@whence/source", whence, ...args], {
    ...{ cwd, env: { ...env, HOME: folder } },
  });
}

/** Reports what a process of a release did some seconds ago. */
async function send(release: string, secondsAgo: number, event: Partial<TelemetryEvent>): Promise<void> {
  const timestamp = new Date(Date.now() - secondsAgo * 1_000).toISOString();
  const base = { id: eventId(), seq: 1, timestamp, type: "log" as const, level: "info" as const, message: "started" };
  const mechanism = { type: "manual", handled: true };
  const batch = batchOf([{ ...base, mechanism, ...event }], { service: "orders", release });
  expect(await sendBatch(server.url, bootstrapKey, batch)).toBe(true);
}

async function reportOn(message: string): Promise<Report> {
  const file = "/srv/orders/src/totals.js";
  const frames = [{ file, function: "totalOf", line: 4, column: 26, in_app: true }];
  const stack = `error: ${message}\n    at async totalOf (${file}:4:26)`;
  await send("2.0.0", 0, {
    ...{ type: "exception", level: "error", message },
    exceptions: [{ type: "error", message, stack, frames }],
  });
  return eventually("the report", async () => {
    const headers = { "x-api-key": bootstrapKey };
    const answer = await fetch(`${server.url}/api/incidents?service=orders&status=completed`, { headers });
    const [listed] = z.object({ incidents: z.array(incidentSchema) }).parse(await answer.json()).incidents;
    if (!listed) return undefined;
    const one = await fetch(`${server.url}/api/incidents/${listed.id}`, { headers });
    return incidentSchema.parse(await one.json()).report;
  });
}

describe("two releases that were uploaded", () => {
  it("differ in a migration, which the report names as what renamed the missing column", async () => {
    await upload("1.9.0");
    await upload("2.0.0");
    await send("1.9.0", 600, {});
    await send("2.0.0", 60, {});
    const report = await reportOn('column "total" does not exist');
    const said = JSON.stringify(report);
    expect(said).toContain("renamed `total` to `amount` in `migrations/004.sql:2`");
    expect(report.evidence.map(({ summary }) => summary).join("\n")).toContain(
      "differs from `1.9.0` in 4 files, among them the dependency `left-pad` 1.2.0 → 2.0.0, " +
        "`migrations/004.sql`, which renames `orders.total` to `amount`, and the data of `config/prices.json`",
    );
    const names = report.candidates.flatMap(({ location }) => location?.file ?? []);
    expect(names.filter((name) => name.includes("provoke"))).toEqual([]);
    expect(said).not.toContain("never-shown");
  });
});
