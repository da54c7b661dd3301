import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { limits } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { analyzerErrors } from "../services/analyzer/src/errors.ts";
import { analysisBodyBytesMax } from "../services/analyzer/src/http/limits/body-places.ts";
import { gatewayErrors } from "../services/gateway/src/errors.ts";
import { otlpLimits } from "../services/gateway/src/otlp/otlp-limits.ts";
import { sentryLimits } from "../services/gateway/src/sentry/sentry-limits.ts";
import { readCommand } from "../services/server/src/command-line.ts";
import { configVariables, readConfig } from "../services/server/src/config.ts";
import { readRepositoryFile } from "./repository-files.ts";
import { freePort } from "./servers/free-port.ts";
import { type FrontProxy, startProxy } from "./servers/nginx.ts";
import { becomeOwner } from "./servers/owner-session.ts";
import { findNatsServer, findProgram } from "./servers/programs.ts";
import { bootstrapKey, eventually, type ServerProcess, startServerProcess } from "./servers/server-process.ts";

const run = promisify(execFile);
const repository = join(import.meta.dirname, "..");

const serviceSchema = z.object({
  image: z.string(),
  command: z.array(z.string()).optional(),
  user: z.string().optional(),
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal("ALL")]),
  environment: z.record(z.string(), z.string()).optional(),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  ports: z.array(z.string()).optional(),
  tmpfs: z.array(z.string()).default([]),
  deploy: z.object({ resources: z.object({ limits: z.object({ cpus: z.string(), memory: z.string() }) }) }),
});
const services = z
  .object({ services: z.record(z.string(), serviceSchema) })
  .parse(parse(readRepositoryFile("docker-compose.yml"), { merge: true })).services;
const whence = Object.entries(services).filter(([, { image }]) => image.startsWith("whence"));

/** Values for the variables that `deploy/example.env` leaves empty. */
const given: Readonly<Record<string, string>> = {
  NATS_PASSWORD: "a",
  CLICKHOUSE_PASSWORD: "b",
  POSTGRES_PASSWORD: "c",
  WHENCE_SECRET_KEY: randomBytes(32).toString("base64"),
};

/** Expands `${NAME:?}` and `${NAME:-default}` as compose does. */
function substituted(text: string): string {
  return text.replace(/\$\{(\w+):([?-])([^}]*)\}/g, (_, name: string, kind: string, fallback: string) =>
    kind === "?" ? (given[name] ?? "") : (given[name] ?? fallback),
  );
}

describe("docker-compose.yml", () => {
  it("runs every role, gateways and analyzers twice, behind one proxy, the only part reachable from outside", () => {
    const roles = whence.map(([, { command = [] }]) => readCommand(command));
    const count = (role: string): number => roles.filter((one) => one.name === "serve" && one.role === role).length;
    expect([count("gateway"), count("writer"), count("analyzer"), count("all")]).toEqual([2, 1, 2, 0]);
    expect(Object.keys(services).filter((name) => services[name]?.ports)).toEqual(["proxy"]);
    expect(services.proxy?.ports).toEqual(["127.0.0.1:4000:8080"]);
  });

  it("gives each role a valid configuration of known variables", () => {
    const known = new Set(configVariables.map(({ name }) => name));
    for (const [name, { command = [], environment = {} }] of whence) {
      const asked = readCommand(command);
      const variables = Object.entries(environment).map(([key, value]) => [key, substituted(value)] as const);
      expect([name, Object.keys(environment).filter((key) => !known.has(key))]).toEqual([name, []]);
      expect(readConfig(Object.fromEntries(variables), asked.name === "serve" ? asked.role : "all")).toBeTruthy();
    }
  });

  it("has a health check for every long-running service, and runs only a volume's setup as root", () => {
    const unwatched = Object.keys(services).filter((name) => !services[name]?.healthcheck);
    expect(unwatched).toEqual(["nats-volume"]);
    const root = Object.entries(services).filter(([, { user }]) => user === "root" || user?.startsWith("0"));
    expect(root.map(([name]) => name)).toEqual(["nats-volume"]);
  });

  it("bounds what is written to memory by a quarter of each container's, but for bodies that the proxy keeps", () => {
    const mebibytes = (text = "") => Number.parseInt(text, 10) * (text.endsWith("g") ? 1_024 : 1);
    for (const [name, { tmpfs, deploy }] of Object.entries(services)) {
      const { memory } = deploy.resources.limits;
      const sizes = tmpfs.map((mount) => mebibytes(/:size=(\d+m)$/.exec(mount)?.[1]));
      const written = sizes.reduce((sum, size) => sum + size, 0);
      expect([name, written <= mebibytes(memory) / (name === "proxy" ? 2 : 4)]).toEqual([name, true]);
    }
    const rooms = ["/tmp:size=64m", "/tmp/exports:size=128m", "/tmp/envelopes:size=128m"];
    expect(services.proxy?.tmpfs).toEqual(rooms);
    expect(128 * 2 ** 20).toBeGreaterThan(6 * sentryLimits.envelopeBytesMax);
  });

  it("needs no variable that is missing from deploy/example.env", () => {
    const needed = readRepositoryFile("docker-compose.yml").matchAll(/\$\{(\w+):\?\}/g);
    const example = readRepositoryFile("deploy/example.env");
    for (const [, name] of needed) expect(example).toContain(`\n${name}=`);
  });

  it("is valid according to compose", async () => {
    await run(findProgram("docker-compose", "docker-compose"), ["-f", "docker-compose.yml", "config", "-q"], {
      cwd: repository,
      env: { ...given, PATH: "/usr/bin:/bin" },
    });
  });
});

describe("Dockerfile", () => {
  const copies = [...readRepositoryFile("Dockerfile").matchAll(/^COPY (?!--from)(.+)$/gm)].map(([, paths = ""]) => {
    const names = paths.split(/\s+/);
    return { sources: names.slice(0, -1), target: names.at(-1) ?? "" };
  });

  it("copies what the program needs to start, and installs all packages it uses", async () => {
    const image = await mkdtemp(join(tmpdir(), "whence-image-"));
    onTestFinished(() => rm(image, { recursive: true, force: true }));
    for (const { sources, target } of copies) {
      for (const source of sources) {
        const isFolder = !/\.\w+$/.test(source);
        const to = isFolder ? target : join(target, source.split("/").at(-1) ?? "");
        await cp(join(repository, source), join(image, to), {
          recursive: true,
          // As .dockerignore does; tests that run at the same time remove files below `.types`.
          filter: (from) => !/node_modules|\.types/.test(from),
        });
      }
    }
    const install = ["-y", "pnpm@12", "install", "--prod", "--frozen-lockfile", "--prefer-offline", "--no-optional"];
    await run("npx", [...install, "--filter", "@whence/server..."], { cwd: image });
    const main = "services/server/src/main.ts";
    const { stdout } = await run(process.execPath, ["--conditions=@whence/source", main, "--help"], { cwd: image });
    expect(stdout).toContain("whence-server");
    await expect(
      run(process.execPath, ["--conditions=@whence/source", main, "--role", "writer"], { cwd: image, env: {} }),
    ).rejects.toThrow(/the role writer needs NATS_URL/);
  });
});

describe("deploy/nats.conf", () => {
  it("is for the minor version of NATS that tests start", () => {
    const [, tested = "none"] = /==(\d+\.\d+)\./.exec(readRepositoryFile("test/servers/nats-requirements.txt")) ?? [];
    expect(readRepositoryFile("docker-compose.yml")).toContain(`image: nats:${tested}-alpine`);
  });

  // The first reads like a number, the second like text.
  it.each(["2e4720c1aa", "plain"])("accepts the password %s as compose passes it", async (password) => {
    const environment = services.nats?.environment ?? {};
    const value = (environment.NATS_PASSWORD ?? "").replace(/\$\{NATS_PASSWORD:\?\}/, password);
    expect(value).toContain(password);
    await run(findNatsServer(), ["-t", "-c", "deploy/nats.conf"], {
      cwd: repository,
      env: { NATS_SERVER_NAME: "nats", NATS_PASSWORD: value },
    });
  });
});

/** Returns a listening proxy in front of these addresses, which act as both gateways and analyzers. */
async function listeningProxy(addresses: readonly string[], analyzerSeconds?: number): Promise<FrontProxy> {
  const proxy = await startProxy(await freePort(), addresses, addresses, analyzerSeconds);
  await eventually("the proxy", () => fetch(`${proxy.url}/metrics`).catch(() => undefined));
  return proxy;
}

interface ProxyAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly allowOrigin: string | null;
  readonly body: unknown;
}

/** Whether pages of other origins send there: clients in browsers. */
const isReadByPages = (path: string): boolean => /envelope|store/.test(path);

/** Posts JSON, and reads JSON. */
async function post(
  { url }: FrontProxy,
  path: string,
  body: RequestInit["body"],
  key = bootstrapKey,
): Promise<ProxyAnswer> {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const answer = await fetch(`${url}${path}`, { method: "POST", headers, body: body ?? null, duplex: "half" });
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  const [retryAfter, allowOrigin] = ["retry-after", "access-control-allow-origin"].map((name) =>
    answer.headers.get(name),
  );
  return {
    status: answer.status,
    retryAfter: retryAfter ?? null,
    allowOrigin: allowOrigin ?? null,
    body: await answer.json(),
  };
}

/** Returns a DSN of a new key. */
async function newDsn({ url, output }: ServerProcess): Promise<URL> {
  const cookie = await becomeOwner(url, output());
  const answer = await fetch(`${url}/api/keys`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie },
    body: JSON.stringify({ name: "shop", scope: "sentry", project: { service: "shop", origins: [] } }),
  });
  return new URL(z.object({ dsn: z.string() }).parse(await answer.json()).dsn);
}

describe("deploy/nginx.conf", () => {
  it("is valid according to nginx", async () => {
    const folder = await mkdtemp(join(tmpdir(), "whence-nginx-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const conf = readRepositoryFile("deploy/nginx.conf")
      // Newer than Debian's nginx.
      .replaceAll(/ resolve(?= max_fails)/g, "")
      .replace(/(gateway|analyzer)-\d:4000/g, "127.0.0.1:4000")
      .replaceAll("/tmp/", `${folder}/`);
    const path = join(folder, "nginx.conf");
    await writeFile(path, conf);
    await run(findProgram("nginx", "nginx"), ["-t", "-p", folder, "-c", path]);
  });

  describe("in front of the service", () => {
    let dataDirectory: string;
    let server: ServerProcess;
    let proxy: FrontProxy;
    let dsn: URL;

    beforeAll(async () => {
      dataDirectory = await mkdtemp(join(tmpdir(), "whence-behind-nginx-"));
      server = await startServerProcess(dataDirectory, await freePort());
      dsn = await newDsn(server);
      const { host } = new URL(server.url);
      proxy = await listeningProxy([host, host]);
    });
    afterAll(async () => {
      await proxy?.stop();
      await server?.end("SIGTERM");
      await rm(dataDirectory, { recursive: true, force: true });
    });

    /** Posts an analysis padded with spaces to a length. */
    function analyze(bytes: number, { streamed = false, key = bootstrapKey } = {}): Promise<ProxyAnswer> {
      const text = Buffer.alloc(bytes, " ");
      text.write(JSON.stringify({ error_log: "TypeError: cart is undefined" }));
      return post(proxy, "/api/mcp/analyze", streamed ? new Blob([text]).stream() : text, key);
    }

    it.each([false, true])(
      "forwards the largest analysis that the service accepts (streamed: %s)",
      async (streamed) => {
        const { status, body } = await analyze(analysisBodyBytesMax, { streamed });
        expect([status, body]).toMatchObject([200, { status: "queued" }]);
      },
    );

    it.each([false, true])("rejects a larger one as the service does (streamed: %s)", async (streamed) => {
      const { status, body } = await analyze(analysisBodyBytesMax + 1, { streamed });
      const { code, message } = analyzerErrors.create("WHENCE_ERR_BODY_TOO_LARGE", [analysisBodyBytesMax]);
      expect([status, body]).toEqual([413, { detail: message, code }]);
    });

    it("forwards a refusal that the service sends before reading the body", async () => {
      const { status, body } = await analyze(analysisBodyBytesMax, { key: "whk_unknown" });
      expect([status, body]).toMatchObject([401, { code: "WHENCE_ERR_KEY_UNKNOWN" }]);
    });

    it.each([
      ["/api/telemetry/events", limits.batchBytesMax],
      ["/api/telemetry/sources", limits.batchBytesMax],
      ["/v1/traces", otlpLimits.otlpBytesMax],
    ])("rejects what is sent to %s beyond %d bytes as a gateway does", async (path, bytesMax) => {
      const { status, body } = await post(proxy, path, Buffer.alloc(bytesMax + 1, " "));
      const { code, message } = gatewayErrors.create("WHENCE_ERR_BATCH_TOO_LARGE", [bytesMax, "on the wire"]);
      expect([status, body]).toEqual([413, { detail: message, code }]);
    });

    it.each([
      ["/api/4711/envelope/", sentryLimits.envelopeBytesMax],
      ["/api/4711/store/", sentryLimits.wholeBytesMax],
    ])("rejects what pages send to %s beyond %d bytes so that they can read why", async (path, bytesMax) => {
      const { status, body, allowOrigin } = await post(proxy, path, Buffer.alloc(bytesMax + 1, " "));
      expect(allowOrigin).toBe("*");
      const reason = ["the envelope", bytesMax, "on the wire"] as const;
      const { code, message } = gatewayErrors.create("WHENCE_ERR_SENTRY_TOO_LARGE", reason);
      expect([status, body]).toEqual([413, { detail: message, code }]);
    });

    it.each([false, true])("forwards the largest envelope of a Sentry client (streamed: %s)", async (isStreamed) => {
      const { username, pathname } = dsn;
      const event = Buffer.from('{}\n{"type":"event"}\n{"message":"stock is low"}\n{"type":"attachment"}\n');
      const bytes = Buffer.concat([event, Buffer.alloc(sentryLimits.envelopeBytesMax - event.length, " ")]);
      const sent = isStreamed ? new Blob([bytes]).stream() : bytes;
      const { status, body } = await post(proxy, `/api${pathname}/envelope/?sentry_key=${username}`, sent);
      expect([status, body]).toEqual([200, { id: expect.stringMatching(/^[0-9a-f]{32}$/) }]);
    });
  });

  it.each([
    ["/api/telemetry/events", "WHENCE_ERR_TELEMETRY_UNAVAILABLE"],
    ["/api/telemetry/sources", "WHENCE_ERR_TELEMETRY_UNAVAILABLE"],
    ["/api/4711/envelope/", "WHENCE_ERR_TELEMETRY_UNAVAILABLE"],
    ["/api/4711/store/", "WHENCE_ERR_TELEMETRY_UNAVAILABLE"],
    ["/v1/traces", "WHENCE_ERR_TELEMETRY_UNAVAILABLE"],
    ["/v1/logs", "WHENCE_ERR_TELEMETRY_UNAVAILABLE"],
    ["/api/mcp/analyze", "WHENCE_ERR_API_UNREACHABLE"],
  ])("answers %s with %s and Retry-After when nothing listens behind it", async (path, code) => {
    const proxy = await listeningProxy([`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`]);
    onTestFinished(() => proxy.stop());
    for (let times = 0; times < 5; times++) {
      const { status, retryAfter, allowOrigin, body } = await post(proxy, path, "{}");
      expect([status, retryAfter, allowOrigin]).toEqual([503, "5", isReadByPages(path) ? "*" : null]);
      expect(body).toEqual({ detail: expect.stringContaining("in 5 seconds"), code });
    }
  });

  it.each([
    ["/api/telemetry/events", limits.batchBytesMax],
    ["/api/telemetry/sources", limits.batchBytesMax],
    ["/api/4711/envelope/", sentryLimits.envelopeBytesMax],
    ["/api/4711/store/", sentryLimits.wholeBytesMax],
    ["/v1/traces", otlpLimits.otlpBytesMax],
  ])("answers %s with 503 and Retry-After when it has no room for a body", async (path, bytes) => {
    const proxy = await listeningProxy([`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`]);
    onTestFinished(() => proxy.stop());
    const room = path.startsWith("/api/telemetry/") ? "bodies" : path.endsWith("/envelope/") ? "envelopes" : "exports";
    await rm(proxy[room], { recursive: true });
    const { status, retryAfter, allowOrigin, body } = await post(proxy, path, Buffer.alloc(bytes, " "));
    expect([status, retryAfter, allowOrigin]).toEqual([503, "5", isReadByPages(path) ? "*" : null]);
    const detail = "no gateway answers, or the proxy has no room for the body: send it again in 5 seconds";
    expect(body).toEqual({ detail, code: "WHENCE_ERR_TELEMETRY_UNAVAILABLE" });
  });

  it.each([
    ["a batch", "/api/telemetry/events", limits.batchBytesMax, ["envelopes", "exports"]],
    ["a request of OpenTelemetry", "/v1/traces", otlpLimits.otlpBytesMax, ["bodies", "envelopes"]],
    ["an envelope", "/api/4711/envelope/", sentryLimits.envelopeBytesMax, ["bodies", "exports"]],
    ["what it keeps no body of", "/elsewhere", limits.batchBytesMax, ["bodies", "envelopes", "exports"]],
  ] as const)("has room for %s when the others have filled theirs", async (_, path, bytes, filled) => {
    const server = createHttpServer((request, response) => {
      response.setHeader("content-type", "application/json");
      request.resume().once("end", () => response.end("{}"));
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = z.object({ port: z.number() }).parse(server.address());
    const proxy = await listeningProxy([`127.0.0.1:${port}`, `127.0.0.1:${port}`]);
    onTestFinished(async () => {
      await proxy.stop();
      server.close();
    });
    await Promise.all(filled.map((room) => rm(proxy[room], { recursive: true })));
    expect((await post(proxy, path, Buffer.alloc(bytes, " "))).status).toBe(200);
  });

  it("answers 504 when an analyzer doesn't respond", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = z.object({ port: z.number() }).parse(silent.address());
    const address = `127.0.0.1:${port}`;
    const proxy = await listeningProxy([address, address], 1);
    onTestFinished(async () => {
      await proxy.stop();
      silent.close();
    });
    const { status, body } = await post(proxy, "/api/mcp/analyze", "{}");
    expect([status, body]).toEqual([504, { detail: expect.any(String), code: "WHENCE_ERR_API_TIMEOUT" }]);
  });

  it("blocks operator routes from outside", () => {
    expect(readRepositoryFile("deploy/nginx.conf")).toMatch(
      /location ~ \^\/\(metrics\|operator\)\(\/\|\$\) \{\s+return 404;/,
    );
  });
});
