import { type ExecFileException, execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { closeServer, listen, startGateway, type TestGateway } from "./gateway.ts";
import { runtimes } from "./runtimes.ts";
import { buildSdk, type SdkBuild } from "./sdk-build.ts";
import { temporaryFolder } from "./temporary-folder.ts";

let sdk: SdkBuild;
let gateway: TestGateway;

beforeAll(async () => {
  sdk = await buildSdk();
});
afterAll(() => sdk.remove());
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway.close());

interface Ending {
  readonly code: ExecFileException["code"];
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of `test/programs` to its end. */
function run(
  name: string,
  args: readonly string[],
  variables: NodeJS.ProcessEnv,
  node = process.execPath,
): Promise<Ending> {
  const program = join(import.meta.dirname, "programs", name);
  return new Promise((resolve) => {
    execFile(
      node,
      [program, ...args],
      { env: { PATH: process.env.PATH, TMPDIR: temporaryFolder(), ...variables } },
      (error, stdout, stderr) => {
        resolve({ code: error?.code ?? 0, stdout, stderr });
      },
    );
  });
}

const withClient = (): NodeJS.ProcessEnv => ({
  WHENCE_SDK: join(sdk.folder, "index.cjs"),
  WHENCE_ENDPOINT: gateway.url,
});

describe("next to an OpenTelemetry SDK", () => {
  it.each(["client-first", "tracing-first"])(
    "events carry its spans, and the trace context is propagated once (%s)",
    async (order) => {
      const { code, stdout, stderr } = await run("open-telemetry.cjs", [order], withClient());
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const { sent, active, spans } = JSON.parse(stdout) as {
        sent: string[][];
        active: { traceId: string; spanId: string };
        spans: { traceId: string }[];
      };
      expect(gateway.events("exception")).toMatchObject([
        {
          trace: { trace_id: active.traceId, span_id: active.spanId },
          breadcrumbs: [{ category: "http" }, { category: "http" }, { category: "http" }],
        },
      ]);
      expect(sent.map((headers) => headers.map((header) => header.split("-")[1]))).toEqual([
        [active.traceId],
        [active.traceId],
      ]);
      // Three requests, each seen by its caller and its callee, and none of the client's own.
      expect(spans.map(({ traceId }) => traceId)).toEqual(Array(6).fill(active.traceId));
    },
  );
});

describe("next to another error tracker", () => {
  let tracker: Server;
  let dsn: string;
  let received: string[];

  beforeEach(async () => {
    received = [];
    tracker = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const body = Buffer.concat(chunks);
        received.push(String(request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body));
        response.end("{}");
      });
    });
    dsn = `http://key@127.0.0.1:${await listen(tracker)}/1`;
  });
  afterEach(() => closeServer(tracker));

  it.each([
    ["client-first", "error", "not caught"],
    ["tracker-first", "error", "not caught"],
    ["client-first", "rejection", "not awaited"],
    ["tracker-first", "rejection", "not awaited"],
  ])("a program ends as with only the tracker, and both report the error (%s, %s)", async (order, how, message) => {
    const alone = await run("error-tracker.cjs", [order, how], { TRACKER_DSN: dsn });
    const reportedAlone = received.splice(0).filter((body) => body.includes(message)).length;
    const both = await run("error-tracker.cjs", [order, how], { TRACKER_DSN: dsn, ...withClient() });
    expect(both).toEqual(alone);
    expect([reportedAlone, received.filter((body) => body.includes(message)).length]).toEqual([1, 1]);
    // Events in flight when the process ended were sent again; the service recognizes them by id.
    const events = new Map(gateway.events("exception").map((event) => [event.id, event]));
    expect([...events.values()]).toMatchObject([{ message, mechanism: { handled: false } }]);
  });
});

describe("an error that a request's own code lets through", () => {
  it.each(
    runtimes.flatMap(({ name, path }) =>
      [
        ["rejection", "unhandledRejection"],
        ["timer", "uncaughtException"],
        ["emitter", "uncaughtException"],
      ].map(([how = "", mechanism = ""]) => ({ name, path, how, mechanism })),
    ),
  )("carries the request on Node $name: a $how", async ({ path, how, mechanism }) => {
    const { code } = await run("express-rejection.cjs", [how], withClient(), path);
    expect(code).toBe(1);
    expect(gateway.events("exception")).toMatchObject([
      {
        message: "no stock",
        level: "critical",
        mechanism: { type: mechanism, handled: false },
        request: { method: "GET", path: "/orders/31", route: "/orders/:id" },
      },
    ]);
    expect(gateway.events("exception")[0]?.breadcrumbs?.at(-1)).toMatchObject({ category: "order", message: "31" });
  });
});
