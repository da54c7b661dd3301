import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Incident, incidentPageSchema, incidentSchema, incidentWatchSchema } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildSdk, type SdkBuild } from "../../sdks/node/test/sdk-build.ts";
import { freePort } from "../servers/free-port.ts";
import { bootstrapKey, eventually, type ServerProcess, startServerProcess } from "../servers/server-process.ts";

const headers = { "x-api-key": bootstrapKey };
/** A service whose page fails for customers without a plan. */
const files = {
  "package.json": '{ "name": "shop", "version": "1.0.0", "type": "module" }',
  "main.mjs": `import { createServer } from "node:http";
const { captureException, init } = await import(process.env.CLIENT);
import { renderPlan } from "./src/page.mjs";

init({
  apiKey: process.env.API_KEY,
  endpoint: process.env.ENDPOINT,
  service: "shop",
  release: "1.0.0",
  watch: true,
  spool: false,
});
createServer((request, response) => {
  try {
    response.end(renderPlan(request.url.slice(1)));
  } catch (error) {
    captureException(error);
    response.writeHead(500).end();
  }
}).listen(Number(process.env.PORT), "127.0.0.1");
`,
  "src/page.mjs": `import { planOf } from "./plans.mjs";

export function renderPlan(customer) {
  const plan = planOf(customer);
  return plan.name.toUpperCase();
}
`,
  "src/plans.mjs": `const plans = new Map([["p1", { name: "basic" }]]);

export function planOf(customer) {
  const plan = plans.get(customer);
  return plan;
}
`,
};

/** As published: the part that watches is loaded once it is ordered. */
let sdk: SdkBuild;
let folder: string;
let server: ServerProcess;
let program: ChildProcess;
let page: string;

beforeAll(async () => {
  sdk = await buildSdk();
  folder = await mkdtemp(join(tmpdir(), "whence-watched-"));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, "app", path)), { recursive: true });
    await writeFile(join(folder, "app", path), text);
  }
  server = await startServerProcess(join(folder, "data"), await freePort());
  const port = await freePort();
  page = `http://127.0.0.1:${port}`;
  program = spawn(process.execPath, ["main.mjs"], {
    cwd: join(folder, "app"),
    env: {
      ...{ PATH: process.env.PATH, CLIENT: pathToFileURL(join(sdk.folder, "index.js")).href },
      ...{ API_KEY: bootstrapKey, ENDPOINT: server.url, PORT: String(port) },
    },
    stdio: "ignore",
  });
});
afterAll(async () => {
  program?.kill("SIGKILL");
  await server?.end("SIGTERM");
  await sdk?.remove();
  await rm(folder, { recursive: true, force: true });
});

async function read(path: string): Promise<unknown> {
  return (await fetch(`${server.url}${path}`, { headers })).json();
}

async function incident(): Promise<Incident | undefined> {
  const { incidents } = incidentPageSchema.parse(await read("/api/incidents?service=shop&status=completed"));
  return incidents[0] && incidentSchema.parse(await read(`/api/incidents/${incidents[0].id}`));
}

async function open(customer: string): Promise<number | undefined> {
  return fetch(`${page}/${customer}`).then(
    ({ status }) => status,
    () => undefined,
  );
}

describe("a failing service that allows to watch places", () => {
  it("is asked what it sees when the failure occurs again, and the report says so", async () => {
    await eventually("the service answers", async () => ((await open("p1")) === 200 ? true : undefined));
    expect(await open("p9")).toBe(500);
    const first = await eventually("a report with places", async () => {
      const found = await incident();
      return found?.report?.watch?.some(({ sha256 }) => sha256 !== null) ? found : undefined;
    });
    expect(first.report?.candidates.map(({ seen }) => seen ?? null)).not.toContain("confirmed");
    const started = await fetch(`${server.url}/api/incidents/${first.id}/watch`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: "{}",
    });
    expect(started.status).toBe(200);
    await eventually("the program is armed", async () => {
      // A failure is sent within seconds, and its answer carries the order.
      await open("p9");
      const { watch } = incidentWatchSchema.parse(await read(`/api/incidents/${first.id}/watch`));
      return watch?.process?.state === "armed" ? true : undefined;
    });
    const { report } = await eventually("a report of what was seen", async () => {
      expect([await open("p1"), await open("p9")]).toEqual([200, 500]);
      const found = await incident();
      return found?.report?.candidates.some(({ seen }) => seen === "confirmed") ? found : undefined;
    });
    expect(report?.candidates[0]).toMatchObject({
      seen: "confirmed",
      location: { file: expect.stringMatching(/src\/plans\.mjs$/), function: "planOf" },
    });
  });
});
