import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { jsonAttributes, jsonTraces, type TestSpan } from "../../services/gateway/test/otlp/spans.ts";
import { root } from "../repository-files.ts";
import { freePort } from "../servers/free-port.ts";
import { packageFolder } from "../servers/installed-packages.ts";
import { becomeOwner } from "../servers/owner-session.ts";
import { findPython } from "../servers/python.ts";
import { type ServerProcess, startServerProcess } from "../servers/server-process.ts";
import { incidentOf, lineOf, placeOf, programOf, runProgram, variablesOf } from "./reporting-programs.ts";

const guide = "docs/sdk/opentelemetry.md";
const recordings = join(root, "services/gateway/test/otlp/recorded");

let folder: string;
let server: ServerProcess;
let key: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "whence-opentelemetry-")));
  server = await startServerProcess(join(folder, "data"), await freePort());
  key = await sendingKey(await becomeOwner(server.url, server.output()));
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});

/** Creates a key with the scope Send, as an owner does under Settings → API keys. */
async function sendingKey(cookie: string): Promise<string> {
  const answer = await fetch(`${server.url}/api/keys`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie },
    body: JSON.stringify({ name: "opentelemetry", scope: "send" }),
  });
  return z.object({ api_key: z.string() }).parse(await answer.json()).api_key;
}

/** Returns what the guide sets, for a service of the reader's. */
function variablesFor(service: string): Record<string, string> {
  const set = variablesOf(guide, {
    ...{ "https://whence.shop.example": server.url, "whk_Vt3xKm…": key },
    orders: service,
  });
  expect(Object.keys(set)).toContain("OTEL_EXPORTER_OTLP_HEADERS");
  return set;
}

const resourceOf = (service: string) => ({ "service.name": service, "telemetry.sdk.language": "nodejs" });

/** Sends what was exported. */
async function exported(signal: "traces" | "metrics", request: unknown): Promise<void> {
  const answer = await fetch(`${server.url}/v1/${signal}`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: typeof request === "string" ? request : JSON.stringify(request),
  });
  expect(await answer.json()).toEqual({});
}

/** Sends spans of one service. */
async function exportSpans(service: string, spans: readonly TestSpan[]): Promise<void> {
  await exported("traces", jsonTraces(resourceOf(service), spans));
}

describe("services of one trace, whose spans come apart and in any order", () => {
  it("get a report that names the service where the failed calls end, by a host that only spans tell", async () => {
    const now = Date.now();
    const step = (spanId: string, parentSpanId: string, changes: Partial<TestSpan>): TestSpan => ({
      ...{ traceId: "7".repeat(32), spanId: spanId.repeat(16), parentSpanId: parentSpanId.repeat(16) },
      ...{ name: "GET /charges", kind: 2, startMs: now - 900, endMs: now - 100, status: 2, ...changes },
    });
    const handled = (path: string) => ({
      "http.request.method": "GET",
      "url.path": path,
      "http.response.status_code": "500",
    });
    const called = {
      "http.request.method": "GET",
      "url.full": "http://10.0.0.7:8080/charges",
      "http.response.status_code": "500",
    };
    const thrown = {
      ...{ "exception.type": "Error", "exception.message": "the order can't be paid" },
      "exception.stacktrace": "Error: the order can't be paid\n    at pay (/srv/checkout/src/pay.js:4:11)",
    };
    await exportSpans("charging", [step("3", "2", { attributes: handled("/charges") })]);
    await exportSpans("checkout", [step("2", "1", { kind: 3, attributes: called })]);
    await exportSpans("checkout", [
      step("1", "", { name: "GET /checkout", attributes: handled("/checkout"), exceptions: [thrown] }),
    ]);
    const { report } = await incidentOf(server.url, "checkout");
    const facts = JSON.stringify(report?.evidence);
    expect(facts).toContain("http://10.0.0.7:8080/charges");
    expect(facts).toContain("GET /charges was answered with 500");
    expect(report?.root_cause.service).toBe("charging");
  });
});

describe("a service that exports metrics", () => {
  it("gets a report that names its full pool of connections as the cause of a timeout", async () => {
    const now = Date.now();
    const pool = { "db.client.connection.pool.name": "billing-db" };
    const gauge = (name: string, value: number, attributes: Readonly<Record<string, string>> = pool) => ({
      name: `db.client.connection.${name}`,
      sum: {
        dataPoints: [
          { timeUnixNano: `${now - 20_000}000000`, asInt: `${value}`, attributes: jsonAttributes(attributes) },
        ],
      },
    });
    await exported("metrics", {
      resourceMetrics: [
        {
          resource: { attributes: jsonAttributes(resourceOf("billing")) },
          scopeMetrics: [
            {
              metrics: [
                gauge("count", 10, { ...pool, "db.client.connection.state": "used" }),
                gauge("max", 10),
                gauge("pending_requests", 7),
              ],
            },
          ],
        },
      ],
    });
    const thrown = {
      ...{ "exception.type": "Error", "exception.message": "timeout exceeded when trying to connect" },
      "exception.stacktrace":
        "Error: timeout exceeded when trying to connect\n    at load (/srv/billing/src/bills.js:31:7)",
    };
    const span = { traceId: "8".repeat(32), spanId: "8".repeat(16), name: "GET /bills", kind: 2, status: 2 };
    await exportSpans("billing", [{ ...span, startMs: now - 100, endMs: now, exceptions: [thrown] }]);
    const { report } = await incidentOf(server.url, "billing");
    expect(report?.evidence.map(({ summary }) => summary)).toContain(
      "the connection pool `billing-db` of `billing` had 10 of 10 connections in use, and 7 requests were waiting",
    );
    expect(report?.root_cause).toMatchObject({ service: "billing", category: "resource-exhaustion" });
  });
});

/** Puts OpenTelemetry's SDK for Node.js where the programs of a folder find it. */
async function installSdk(name: string): Promise<void> {
  const sdk = packageFolder(join(root, "package.json"), "@opentelemetry/sdk-node");
  const modules = join(folder, name, "node_modules/@opentelemetry");
  await mkdir(modules, { recursive: true });
  await symlink(sdk, join(modules, "sdk-node"));
  await symlink(packageFolder(join(sdk, "package.json"), "@opentelemetry/api"), join(modules, "api"));
}

/** A program that counts requests as instrumentation of a server does, and exports the counts before it fails. */
const measured = `import { metrics, trace } from "@opentelemetry/api";
import { NodeSDK } from "@opentelemetry/sdk-node";

const sdk = new NodeSDK();
sdk.start();
const duration = metrics.getMeter("orders").createHistogram("http.server.request.duration");
for (const [status, times] of [[200, 20], [503, 10]]) {
  const route = { "http.request.method": "GET", "http.route": "/orders", "http.response.status_code": status };
  for (let request = 0; request < times; request += 1) duration.record(0.01, route);
  // Its clock has milliseconds. Of a count that is exported in the one in which it began, the start isn't known.
  for (const begin = Date.now(); Date.now() === begin; );
  await metrics.getMeterProvider().forceFlush();
}
trace.getTracer("orders").startActiveSpan("GET /orders", (span) => {
  span.recordException(new Error("timed out waiting for a free worker"));
  span.end();
});
await sdk.shutdown();
`;

describe("a program with OpenTelemetry, whose endpoint alone was changed", () => {
  it("of Node.js gets a report that names the line that caused its error", async () => {
    const program = await programOf(guide, "js", folder, "orders.mjs");
    await installSdk("js");
    expect(await runProgram(process.execPath, program, variablesFor("orders-node"))).toBe("");
    expect(await placeOf(server.url, "orders-node")).toBe(`${program}:${await lineOf(program, "order.lines.length")}`);
  });

  it("of Node.js gets a report that says which route failed, by its metrics", async () => {
    await installSdk("measured");
    const program = join(folder, "measured/orders.mjs");
    await writeFile(program, measured);
    const variables = { ...variablesFor("orders-measured"), OTEL_METRICS_EXPORTER: "otlp" };
    expect(await runProgram(process.execPath, program, variables)).toBe("");
    const { report } = await incidentOf(server.url, "orders-measured");
    expect(report?.evidence.map(({ summary }) => summary).join("\n")).toContain(
      "`orders-measured` failed 10 of 30 requests to `GET /orders` in the five minutes before the failure",
    );
  });

  it("of Python gets a report that names the line that caused its error", async () => {
    const program = await programOf(guide, "python", folder, "orders.py");
    const python = findPython();
    expect(await runProgram(python, program, variablesFor("orders-python"))).toContain("KeyError");
    expect(await placeOf(server.url, "orders-python")).toBe(`${program}:${await lineOf(program, 'order["lines"]')}`);
  });

  // Recorded, since their toolchains would have to be installed.
  it.each([
    ["go", "/srv/orders/orders.go:24"],
    ["java", "com/shop/Orders.java:21"],
    // Go's SDK over gRPC, through a Collector with the guide's configuration.
    ["collector", "/srv/orders/orders.go:24"],
  ])("of %s, as recorded, gets a report that names the line that caused its error", async (language, place) => {
    const body = await readFile(join(recordings, `${language}.traces.pb`));
    const answer = await fetch(`${server.url}/v1/traces`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/x-protobuf" },
      body,
    });
    expect(answer.status).toBe(200);
    expect(await placeOf(server.url, `orders-${language}`)).toBe(place);
  });
});
