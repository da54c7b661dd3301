import type { TelemetryEvent } from "@whence/protocol";
import { type DestinationStream, type Logger, type LoggerOptions, multistream, pino } from "pino";
import { multistream as multistream7, pino as pino7 } from "pino-7";
import { multistream as multistream8, pino as pino8 } from "pino-8";
import { pino as pino9 } from "pino-9";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { captureException, close, flush, init } from "../../src/index.ts";
import { whencePinoStream } from "../../src/loggers/pino.ts";
import { startGateway, type TestGateway } from "../gateway.ts";

let gateway: TestGateway;
let lines: string[];
let output: DestinationStream;
beforeEach(async () => {
  gateway = await startGateway();
  lines = [];
  output = { write: (line) => lines.push(line) };
  init({ apiKey: "k", endpoint: gateway.url, redact: ["iban"] });
});
afterEach(async () => {
  await close(1_000);
  await gateway.close();
});

async function told(): Promise<TelemetryEvent[]> {
  await flush();
  return gateway.events().filter(({ type }) => type === "log" || type === "exception");
}

const printed = (): string => lines.splice(0).join("");

/** Versions differ in types that aren't used here. */
type Make = (
  options: Pick<LoggerOptions, "name" | "base" | "timestamp" | "redact" | "messageKey">,
  to: DestinationStream,
) => Pick<Logger, "child" | "debug" | "warn" | "error" | "info" | "fatal">;

/** Each way of getting a logger, and whether it keeps the error object. */
const loggers: readonly (readonly [name: string, hasError: boolean, make: Make])[] = [
  ["pino 10", true, (options, to) => pino(options, to)],
  ["pino 9", true, pino9 as unknown as Make],
  [
    "pino 10 with the stream",
    true,
    (options, to) => pino(options, multistream([{ stream: to }, { stream: whencePinoStream() }])),
  ],
  [
    "pino 8 with the stream",
    false,
    (options, to) =>
      (pino8 as unknown as Make)(options, multistream8([{ stream: to }, { stream: whencePinoStream() }])),
  ],
  [
    "pino 7 with the stream",
    false,
    (options, to) =>
      (pino7 as unknown as Make)(options, multistream7([{ stream: to }, { stream: whencePinoStream() }])),
  ],
];

describe.each(loggers)("a record of %s", (_name, hasError, make) => {
  // requirement: telemetry.log-records
  it("of level error or fatal is an event with its error and its fields", async () => {
    const logger = make({ name: "shop" }, output).child({ shard: 3 });
    logger.info({ userId: 7 }, "logged in");
    logger.error({ err: new TypeError("broken", { cause: new Error("cause") }), orderId: 31 }, "order failed");
    logger.fatal("out of stock");
    const events = await told();
    expect(events).toMatchObject([
      {
        type: "log",
        level: "error",
        message: "order failed",
        mechanism: { type: "pino", handled: true },
        attributes: { name: "shop", shard: 3, orderId: 31 },
        breadcrumbs: [{ category: "log", level: "info", message: "logged in", data: { userId: 7, shard: 3 } }],
      },
      { type: "log", level: "critical", message: "out of stock" },
    ]);
    expect(events[0]?.exceptions?.[0]).toMatchObject({
      type: "TypeError",
      message: hasError ? "broken" : expect.stringMatching(/^broken/),
    });
    expect(events[0]?.exceptions?.[0]?.frames?.some(({ file }) => file === import.meta.filename)).toBe(true);
    expect(events[0]?.attributes).not.toHaveProperty("err");
  });

  it("of only an error has its message", async () => {
    make({}, output).error(new Error("alone"));
    expect(await told()).toMatchObject([{ message: "alone", exceptions: [{ type: "Error", message: "alone" }] }]);
  });

  it("with a printed stack in a sentence has that error", async () => {
    make({}, output).error(`failed: ${new TypeError("in a sentence").stack}`);
    expect(await told()).toMatchObject([{ exceptions: [{ type: "TypeError", message: "in a sentence" }] }]);
  });

  it("uses the message among its fields", async () => {
    make({}, output).error({ msg: "among the fields", orderId: 31 });
    const renamed = make({ messageKey: "message" }, output);
    renamed.error({ orderId: 32 }, "by another name");
    renamed.error({ message: "among others", orderId: 33 });
    expect(await told()).toMatchObject([
      { message: "among the fields", attributes: { orderId: 31 } },
      { message: "by another name", attributes: { orderId: 32 } },
      { message: "among others", attributes: { orderId: 33 } },
    ]);
  });

  it("has the same output as without the client", async () => {
    const write = (): string => {
      const logger = make({ timestamp: false, base: null }, output);
      logger.error({ err: Object.assign(new Error("x"), { stack: "Error: x\n    at a" }), a: { b: 1 } }, "m %s", "s");
      logger.debug("not printed");
      logger.warn({ a: 1n.toString() });
      return printed();
    };
    const watched = write();
    await close();
    expect(write()).toBe(watched);
    expect(watched.split("\n")).toHaveLength(3);
  });

  it("contains neither what pino removed nor what is redacted by name", async () => {
    const logger = make({ redact: ["password", "deep.secret"] }, output);
    const fields = { password: "p4ss", deep: { secret: "s3cret", iban: "DE00" } };
    logger.info(fields, "before");
    logger.error(fields, "failed");
    const text = JSON.stringify(await told());
    expect(text).not.toMatch(/p4ss|s3cret|DE00/);
    expect(text).toMatch(/"path":"\/attributes\/deep\/iban"/);
    expect(text).toMatch(/"path":"\/breadcrumbs\/0\/data\/deep\/iban"/);
  });

  it("is one event together with later captures of its error", async () => {
    const logger = make({}, output);
    const failed = (): Error => new Error("told twice");
    const [first, second] = [failed(), new Error("captured first")];
    logger.error({ err: first, orderId: 31 }, "it failed");
    captureException(first, { attributes: { attempt: 2 } });
    captureException(second);
    logger.error({ err: second }, "it failed");
    expect(await told()).toMatchObject([
      {
        type: "exception",
        message: "told twice",
        attributes: { attempt: 2 },
        breadcrumbs: [{ category: "log", level: "error", message: "it failed", data: { orderId: 31 } }],
      },
      { type: "exception", message: "captured first" },
    ]);
  });
});

describe("the pino stream", () => {
  it("accepts text that isn't JSON, and a level by name", async () => {
    await close();
    init({ apiKey: "k", endpoint: gateway.url, logs: [] });
    const stream = whencePinoStream();
    stream.write("no JSON");
    stream.write("null");
    stream.write('{"level":"fatal","msg":"by name"}\n');
    stream.write('{"level":"error","err":{"type":"E","message":"m","stack":7}}\n');
    expect((await told()).map(({ level, message }) => [level, message])).toEqual([
      ["critical", "by name"],
      ["error", ""],
    ]);
  });
});
