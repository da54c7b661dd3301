import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Incident, incidentPageSchema, incidentSchema } from "@whence/protocol";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../servers/free-port.ts";
import { bootstrapKey, eventually, type ServerProcess, startServerProcess } from "../servers/server-process.ts";

const sdks = join(import.meta.dirname, "../../sdks");
const nodeClient = (path: string): string => JSON.stringify(pathToFileURL(join(sdks, "node/src", path)).href);
const headers = { "x-api-key": bootstrapKey };

/**
 * A kiosk that asks a price service, each in both languages. Every price is known but that of a discounted item, and the
 * kiosk only says that it got no price.
 */
const files = {
  "prices.mjs": `import { createServer } from "node:http";
import { init } from ${nodeClient("index.ts")};

init({
  apiKey: process.env.WHENCE_API_KEY,
  endpoint: process.env.WHENCE_ENDPOINT,
  service: process.env.WHENCE_SERVICE,
  release: "1.0.0",
  spool: false,
  watchServers: true,
});
const prices = { 1: { cents: 500 } };

function centsOf(sku) {
  const price = prices[sku.replace("SALE", "")];
  return price.cents;
}

createServer((request, response) => {
  try {
    response.end(String(centsOf(request.url.slice(1))));
  } catch (error) {
    console.error(error);
    response.writeHead(500).end();
  }
}).listen(process.env.PORT, "127.0.0.1");
`,
  "kiosk.mjs": `import { createServer } from "node:http";
import { init } from ${nodeClient("index.ts")};

init({
  apiKey: process.env.WHENCE_API_KEY,
  endpoint: process.env.WHENCE_ENDPOINT,
  service: process.env.WHENCE_SERVICE,
  release: "1.0.0",
  spool: false,
  watchServers: true,
});

async function totalOf(sku) {
  const answer = await fetch(\`\${process.env.PRICES_URL}/\${sku}\`);
  if (!answer.ok) throw new Error(\`no price for \${sku}\`);
  return Number(await answer.text());
}

createServer(async (request, response) => {
  try {
    response.end(String(await totalOf(request.url.slice(1))));
  } catch (error) {
    console.error(error);
    response.writeHead(500).end();
  }
}).listen(process.env.PORT, "127.0.0.1");
`,
  "prices.py": `from serve import serve

PRICES = {"1": {"cents": 500}}


def cents_of(sku):
    price = PRICES.get(sku.replace("SALE", ""))
    return price["cents"]


serve(cents_of)
`,
  "kiosk.py": `import os
import urllib.error
import urllib.request

from serve import serve


def total_of(sku):
    try:
        with urllib.request.urlopen(f"{os.environ['PRICES_URL']}/{sku}") as answer:
            return int(answer.read())
    except urllib.error.HTTPError:
        raise RuntimeError(f"no price for {sku}") from None


serve(total_of)
`,
  "serve.py": `import os
from wsgiref.simple_server import make_server

import whence
from whence.frameworks.wsgi import WhenceMiddleware

whence.init()


def serve(answer):
    def app(request, start_response):
        body = str(answer(request["PATH_INFO"][1:])).encode()
        start_response("200 OK", [("content-type", "text/plain")])
        return [body]

    make_server("127.0.0.1", int(os.environ["PORT"]), WhenceMiddleware(app)).serve_forever()
`,
};

let folder: string;
let server: ServerProcess;
const children: ChildProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-languages-"));
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
  server = await startServerProcess(join(folder, "data"), await freePort());
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});

/** Starts a service of the given name; returns its URL once it accepts connections. */
async function startService(service: string, program: string, variables: Record<string, string> = {}): Promise<string> {
  const port = await freePort();
  const command = program.endsWith(".py")
    ? (["python3", program] as const)
    : ([process.execPath, "--conditions=@whence/source", program] as const);
  const child = spawn(command[0], command.slice(1), {
    cwd: folder,
    env: {
      ...{ PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
      ...{ PYTHONPATH: join(sdks, "python/src"), PORT: String(port), ...variables },
      ...{ WHENCE_API_KEY: bootstrapKey, WHENCE_ENDPOINT: server.url, WHENCE_SERVICE: service },
      ...{ WHENCE_RELEASE: "1.0.0", WHENCE_SPOOL: "off" },
    },
    stdio: "ignore",
  });
  children.push(child);
  const url = `http://127.0.0.1:${port}`;
  await eventually(`${program}`, async () => (await fetch(`${url}/1`).catch(() => undefined)) && true);
  return url;
}

async function read(path: string): Promise<unknown> {
  const answer = await fetch(`${server.url}${path}`, { headers });
  return answer.json();
}

/** Returns the finished incident in which the failures of both services came together. */
async function incidentOf(...services: readonly string[]): Promise<Incident> {
  return eventually(`the report on ${services.join(" and ")}`, async () => {
    const { incidents } = incidentPageSchema.parse(await read("/api/incidents?status=completed"));
    for (const { id } of incidents) {
      const incident = incidentSchema.parse(await read(`/api/incidents/${id}`));
      const seen = new Set([incident.service, ...(incident.joined_failures ?? []).map(({ service }) => service)]);
      if (services.every((service) => seen.has(service))) return incident;
    }
    return undefined;
  });
}

describe("a failure that crosses languages", () => {
  it.each([
    { from: "Node.js", to: "Python", kiosk: "kiosk.mjs", prices: "prices.py", name: "cents_of", line: 8 },
    { from: "Python", to: "Node.js", kiosk: "kiosk.py", prices: "prices.mjs", name: "centsOf", line: 16 },
  ])("from $from to $to is one incident, and the report names its origin in $to", async (given) => {
    const [caller, origin] = [`kiosk-of-${given.prices}`, given.prices];
    const pricesUrl = await startService(origin, given.prices);
    const variables = { PRICES_URL: pricesUrl, WHENCE_PROPAGATE_TRACES: "on" };
    const url = await startService(caller, given.kiosk, variables);
    for (let asked = 0; asked < 3; asked++) expect((await fetch(`${url}/SALE-2`)).status).toBe(500);
    const { report } = await incidentOf(caller, origin);
    expect(report?.root_cause).toMatchObject({ category: "null-dereference", service: origin });
    expect(report?.root_cause?.statement).toContain(`\`${given.name}\` (\`${given.prices}:${given.line}\`)`);
  });
});
