import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Incident } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../servers/free-port.ts";
import { bootstrapKey, eventually, type ServerProcess, startServerProcess } from "../servers/server-process.ts";
import { quoted, SentSourceReports } from "./sent-source-reports.ts";

const client = pathToFileURL(join(import.meta.dirname, "../../sdks/node/src/index.ts")).href;
const canary = "never-leaves-the-machine";

/** A shop whose total fails in `orders.mjs`, because `prices.mjs` returns nothing for a discounted item. */
const files = {
  "package.json": '{ "name": "shop", "version": "1.0.0", "type": "module" }',
  "main.mjs": `import { captureException, init } from ${JSON.stringify(client)};
import { totalOf } from "./src/orders.mjs";
import "./node_modules/pad/index.js";
import "./src/linked.mjs";

init({
  apiKey: process.env.API_KEY,
  endpoint: process.env.ENDPOINT,
  service: process.env.SERVICE,
  source: process.env.SOURCE,
  release: "1.0.0",
  spool: false,
});
const read = ["./.env", "./src/.hidden/key.mjs", "./config/credentials.json"];
setInterval(() => undefined, 1_000);
if (process.argv[2] === "crash") setTimeout(() => totalOf([{ sku: "SALE-1" }], read), 1_000);
if (process.argv[2] === "fail") {
  try {
    totalOf([{ sku: "SALE-1" }], read);
  } catch (error) {
    captureException(error);
  }
}
`,
  "src/orders.mjs": `import { priceOf } from "./prices.mjs";

export function totalOf(items) {
  let cents = 0;
  for (const item of items) {
    const price = priceOf(item.sku);
    cents += price.cents;
  }
  return cents;
}
`,
  "src/prices.mjs": `const prices = new Map([["1", { cents: 500 }]]);

export function priceOf(sku) {
  return prices.get(sku.replace("SALE", ""));
}
`,
  ".env": canary,
  "src/.hidden/key.mjs": canary,
  "config/credentials.json": JSON.stringify(canary),
  "node_modules/pad/index.js": `export const pad = ${JSON.stringify(canary)};`,
  "../outside.mjs": `export const outside = ${JSON.stringify(canary)};`,
};

let folder: string;
let server: ServerProcess;
let reports: SentSourceReports;
const children: ChildProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-sent-"));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, "app", path)), { recursive: true });
    await writeFile(join(folder, "app", path), text);
  }
  await symlink(join(folder, "outside.mjs"), join(folder, "app/src/linked.mjs"));
  server = await startServerProcess(join(folder, "data"), await freePort());
  reports = new SentSourceReports(server);
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await server.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});

function start(service: string, how: "crash" | "fail" | "run", source?: string): ChildProcess {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, API_KEY: bootstrapKey, ENDPOINT: server.url, SERVICE: service };
  const child = spawn(process.execPath, ["--conditions=@whence/source", "main.mjs", how], {
    cwd: join(folder, "app"),
    env: { ...env, ...(source === undefined ? {} : { SOURCE: source }) },
    stdio: "inherit",
  });
  children.push(child);
  return child;
}

describe("a service whose source wasn't uploaded", () => {
  it("gets a report that quotes the file with the mistake, which wasn't on the stack", async () => {
    start("shop", "fail");
    const { report } = await reports.reportQuoting("shop", "src/prices.mjs");
    const quotes = quoted(report, "src/prices.mjs");
    expect(quotes.map(({ source }) => source)).toContainEqual(
      expect.objectContaining({ version: "sent by a process of 1.0.0" }),
    );
    expect(quotes.some(({ excerpt }) => excerpt.includes('prices.get(sku.replace("SALE", ""))'))).toBe(true);
  });

  it("sends only the program's own files: none of a package, hidden, outside of its folder, or with credentials", async () => {
    await reports.reportQuoting("shop", "src/prices.mjs");
    const stored = await reports.storedFor("shop");
    // package.json isn't named by code: main.mjs, orders.mjs, and prices.mjs are left.
    expect(stored).toBe(3);
  });

  it("gets it from a process that dies of its error, or else from the next one of the release", async () => {
    const [code] = await once(start("kiosk", "crash"), "exit");
    expect(code).toBe(1);
    await eventually("the first report", () => reports.incidentOf("kiosk"));
    // On a slow machine, the first one may have had no time for it.
    start("kiosk", "run");
    await reports.reportQuoting("kiosk", "src/prices.mjs");
  });

  it("keeps its files when its source option doesn't allow them", async () => {
    start("functions-only", "fail", "functions");
    start("no-source", "fail", "none");
    const [functions, none] = await Promise.all(
      ["functions-only", "no-source"].map((service) => eventually("a report", () => reports.incidentOf(service))),
    );
    const seen = (incident: Incident | undefined) => JSON.stringify(incident?.report?.evidence);
    expect(seen(functions)).toContain("cents += price.cents");
    expect(seen(none)).not.toContain("cents += price.cents");
    expect([await reports.storedFor("functions-only"), await reports.storedFor("no-source")]).toEqual([
      undefined,
      undefined,
    ]);
  });
});
