import { createRequire } from "node:module";
import type { TelemetryEvent } from "@whence/protocol";
import bunyan from "bunyan";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { captureException, close, flush, init } from "../../src/index.ts";
import { whenceBunyanStream } from "../../src/loggers/bunyan.ts";
import { startGateway, type TestGateway } from "../gateway.ts";

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
  init({ apiKey: "k", endpoint: gateway.url });
});
afterEach(async () => {
  await close(1_000);
  await gateway.close();
});

async function told(): Promise<TelemetryEvent[]> {
  await flush();
  return gateway.events().filter(({ type }) => type === "log" || type === "exception");
}

// No types are published under this name.
const bunyan1: typeof bunyan = createRequire(import.meta.url)("bunyan-1");

const versions: [string, typeof bunyan][] = [
  ["bunyan 2", bunyan],
  ["bunyan 1", bunyan1],
];

describe.each(versions)("a record of %s", (_name, library) => {
  const logger = (): bunyan => library.createLogger({ name: "shop", streams: [whenceBunyanStream()] });

  // requirement: telemetry.log-records
  it("of level error or fatal is an event with its error and its fields", async () => {
    const log = logger();
    log.info({ userId: 7 }, "logged in");
    log.trace("step");
    log.error({ err: new TypeError("broken"), orderId: 31 }, "order %d failed", 31);
    log.fatal("out of stock");
    const events = await told();
    expect(events).toMatchObject([
      {
        type: "log",
        level: "error",
        message: "order 31 failed",
        mechanism: { type: "bunyan", handled: true },
        exceptions: [{ type: "TypeError", message: "broken" }],
        breadcrumbs: [
          { category: "log", level: "info", message: "logged in", data: { userId: 7 } },
          { category: "log", level: "debug", message: "step" },
        ],
      },
      { level: "critical", message: "out of stock" },
    ]);
    expect(events[0]?.attributes).toEqual({ orderId: 31 });
    expect(events[0]?.exceptions?.[0]?.frames?.[0]?.file).toBe(import.meta.filename);
  });

  it("is one event together with later captures of its error", async () => {
    const log = logger();
    const error = new Error("told twice");
    log.error(error, "it failed");
    captureException(error);
    log.error(error);
    expect((await told()).map(({ type, message }) => [type, message])).toEqual([["exception", "told twice"]]);
  });
});
