import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../servers/free-port.ts";
import { bootstrapKey, eventually, type ServerProcess, startServerProcess } from "../servers/server-process.ts";
import { pythonShop } from "./python-shop.ts";
import { quoted, SentSourceReports } from "./sent-source-reports.ts";

/** A shop whose total fails in `orders.py`, because `prices.py` returns None for a discounted item. */
const files = {
  "main.py": `import os
from wsgiref.simple_server import make_server

import whence
from whence.frameworks.wsgi import WhenceMiddleware

from shop.orders import total_of


def application(environ, start_response):
    total = total_of([{"sku": environ["PATH_INFO"].strip("/")}])
    start_response("200 OK", [])
    return [str(total).encode()]


whence.init(release="1.0.0", spool=False)
make_server("127.0.0.1", int(os.environ["PORT"]), WhenceMiddleware(application)).serve_forever()
`,
  ...pythonShop,
};

let folder: string;
let server: ServerProcess;
let reports: SentSourceReports;
const children: ChildProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-sent-python-"));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, "app", path)), { recursive: true });
    await writeFile(join(folder, "app", path), text);
  }
  server = await startServerProcess(join(folder, "data"), await freePort());
  reports = new SentSourceReports(server);
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await server.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});

/** Starts the program, and has it fail once. */
async function fail(service: string, source?: string): Promise<void> {
  const port = await freePort();
  const child = spawn("python3", ["-B", "main.py"], {
    cwd: join(folder, "app"),
    env: {
      PATH: process.env.PATH,
      PYTHONPATH: join(import.meta.dirname, "../../sdks/python/src"),
      PORT: String(port),
      WHENCE_API_KEY: bootstrapKey,
      WHENCE_ENDPOINT: server.url,
      WHENCE_SERVICE: service,
      ...(source === undefined ? {} : { WHENCE_SOURCE: source }),
    },
    stdio: "ignore",
  });
  children.push(child);
  const request = () => fetch(`http://127.0.0.1:${port}/SALE-1`).catch(() => undefined);
  const status = await eventually(`an answer of ${service}`, async () => (await request())?.status);
  expect(status).toBe(500);
}

/** What a report says where only the event brought code. */
function unseen(service: string): string {
  return `Source: no files of \`${service}\` \`1.0.0\` were available, only the code around the calls on the stack.`;
}

describe("a Python service whose source wasn't uploaded", () => {
  it("gets a report that names the file with the mistake, which wasn't on the stack", async () => {
    await fail("shop");
    const { report } = await reports.reportQuoting("shop", "shop/prices.py");
    const quotes = quoted(report, "shop/prices.py");
    expect(quotes.map(({ source }) => source)).toContainEqual(
      expect.objectContaining({ version: "sent by a process of 1.0.0" }),
    );
    const candidates = report?.candidates.map(({ location }) => location?.file);
    expect(candidates).toContain(join(folder, "app/shop/prices.py"));
    expect(report?.not_checked).not.toContain(unseen("shop"));
    expect(await reports.storedFor("shop")).toBe(4);
  });

  it("keeps its files when its source option doesn't allow them", async () => {
    await fail("functions-only", "functions");
    const incident = await eventually("a report", () => reports.incidentOf("functions-only"));
    expect(JSON.stringify(incident.report?.evidence)).toContain('cents += price[\\"cents\\"]');
    expect(incident.report?.not_checked).toContain(unseen("functions-only"));
    expect(await reports.storedFor("functions-only")).toBeUndefined();
  });
});
