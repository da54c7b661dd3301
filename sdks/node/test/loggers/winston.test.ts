import { Writable } from "node:stream";
import type { TelemetryEvent } from "@whence/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import winston from "winston";
import winston32 from "winston-3-2";
import { captureException, close, flush, init } from "../../src/index.ts";
import { WhenceTransport } from "../../src/loggers/winston.ts";
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

const versions: [string, typeof winston][] = [
  ["winston 3.19", winston],
  ["winston 3.2", winston32 as unknown as typeof winston],
];

describe.each(versions)("a record of %s", (_name, { createLogger, format, config, transports }) => {
  // requirement: telemetry.log-records
  it("of level error is an event with its fields, others are breadcrumbs", async () => {
    const logger = createLogger({ level: "silly", defaultMeta: { shard: 3 }, transports: [new WhenceTransport()] });
    logger.info("logged in", { userId: 7 });
    logger.silly("step");
    logger.error("order failed", { orderId: 31 });
    expect(await told()).toMatchObject([
      {
        type: "log",
        level: "error",
        message: "order failed",
        mechanism: { type: "winston", handled: true },
        attributes: { orderId: 31, shard: 3 },
        breadcrumbs: [
          { category: "log", level: "info", message: "logged in", data: { userId: 7 } },
          { category: "log", level: "debug", message: "step" },
        ],
      },
    ]);
  });

  it("has its error, wherever the program put it", async () => {
    const logger = createLogger({ transports: [new WhenceTransport()] });
    const withStack = createLogger({
      format: format.combine(format.errors({ stack: true }), format.json()),
      transports: [new WhenceTransport()],
    });
    const make = (message: string): TypeError => new TypeError(message);
    logger.error(make("as the record"));
    logger.error("after the message:", make("after the message"));
    logger.error("in a field", { err: make("in a field") });
    logger.log({ level: "error", message: make("as the message") as unknown as string });
    withStack.error(make("by its stack"));
    const exceptions = (await told()).map((event) => event.exceptions?.[0]);
    expect(exceptions.map((exception) => [exception?.type, exception?.message])).toEqual([
      ["TypeError", "as the record"],
      ["TypeError", "after the message"],
      ["TypeError", "in a field"],
      ["TypeError", "as the message"],
      ["TypeError", "by its stack"],
    ]);
    expect(exceptions.map((exception) => exception?.frames?.[0]?.file)).toEqual(
      exceptions.map(() => import.meta.filename),
    );
  });

  it("has its message without the colors that a format added", async () => {
    const coloured = format.colorize({ all: true });
    createLogger({ format: coloured, transports: [new WhenceTransport()] }).error("order failed");
    expect(await told()).toMatchObject([{ level: "error", message: "order failed" }]);
  });

  it("understands syslog's levels, and treats unknown ones as info", async () => {
    const logger = createLogger({ levels: config.syslog.levels, level: "debug", transports: [new WhenceTransport()] });
    for (const level of Object.keys(config.syslog.levels)) logger.log(level, level);
    const own = createLogger({ levels: { boom: 0, calm: 1 }, level: "calm", transports: [new WhenceTransport()] });
    own.log("boom", "boom");
    captureException(new Error("end"));
    const events = await told();
    expect(events.map(({ level, message }) => [message, level])).toEqual([
      ["emerg", "critical"],
      ["alert", "critical"],
      ["crit", "critical"],
      ["error", "error"],
      ["end", "error"],
    ]);
    expect(events.at(-1)?.breadcrumbs?.map(({ message, level }) => [message, level])).toEqual([
      ["warning", "warning"],
      ["notice", "info"],
      ["info", "info"],
      ["debug", "debug"],
      ["boom", "info"],
    ]);
  });

  it("is one event together with later captures of its error; other transports have the same output", async () => {
    const lines: string[] = [];
    const stream = new Writable({
      write(line, _encoding, next) {
        lines.push(String(line));
        next();
      },
    });
    const logger = createLogger({ transports: [new transports.Stream({ stream }), new WhenceTransport()] });
    const error = new Error("told twice");
    logger.error("it failed", { error });
    captureException(error);
    logger.error(error.message, { error });
    expect((await told()).map(({ type, message }) => [type, message])).toEqual([["exception", "told twice"]]);
    expect(lines).toHaveLength(2);
  });
});
