import "reflect-metadata";
import {
  type ArgumentsHost,
  Catch,
  ConsoleLogger,
  Controller,
  type ExceptionFilter,
  Get,
  Logger,
  Module,
  NotFoundException,
} from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { whenceLogger, whenceNest } from "../../src/frameworks/nestjs.ts";
import { captureException, close, flush, init } from "../../src/index.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import { ask } from "./raw-request.ts";

/** Nest's own logger, without terminal output. */
class QuietLogger extends ConsoleLogger {
  readonly printed: unknown[] = [];
  protected override printMessages(messages: unknown[], context = "", level = "log"): void {
    this.printed.push([level, context, ...messages]);
  }
  protected override printStackTrace(stack: string): void {
    this.printed.push(stack);
  }
}

const orders = new Logger("Orders");

class Routes {
  broken(): never {
    throw new Error("no stock");
  }
  gone(): never {
    throw new NotFoundException("no such order");
  }
}
for (const name of ["broken", "gone"] as const) {
  const descriptor = Object.getOwnPropertyDescriptor(Routes.prototype, name);
  if (descriptor) Get(name)(Routes.prototype, name, descriptor);
}
Controller()(Routes);
class App {}
Module({ controllers: [Routes] })(App);

/** Logs every exception it answers, as filters of programs do. */
class LoggingFilter implements ExceptionFilter {
  catch(error: Error, host: ArgumentsHost): void {
    orders.error(error.message, error.stack);
    host.switchToHttp().getResponse().status(500).send("no");
  }
}
Catch()(LoggingFilter);

let gateway: TestGateway;
let logger: QuietLogger;

beforeEach(async () => {
  gateway = await startGateway();
  init({ apiKey: "k", endpoint: gateway.url });
  logger = new QuietLogger("", { logLevels: ["log", "warn", "error", "fatal"] });
  Logger.overrideLogger(whenceLogger(logger));
});
afterEach(async () => {
  Logger.overrideLogger(false);
  await close(1_000);
  await gateway.close();
});

describe("Nest's own logger", () => {
  it("records failures with their context and error, and everything else as breadcrumbs", async () => {
    const error = new TypeError("refused");
    orders.log("placed");
    orders.warn({ message: "slow", ms: 300 });
    orders.debug("not enabled");
    orders.error("could not ship");
    orders.error("could not pay", error.stack);
    orders.error("could not bill", { err: new RangeError("too much"), order: 31 });
    orders.fatal(new Error("no database"));
    await flush();
    const told = gateway.events("log").map(({ level, message, exceptions, attributes, mechanism }) => {
      expect(mechanism).toEqual({ type: "nestjs", handled: true });
      return [level, message, exceptions?.[0]?.message, attributes];
    });
    expect(told).toEqual([
      ["error", "could not ship", undefined, { context: "Orders" }],
      ["error", "could not pay", "refused", { context: "Orders" }],
      ["error", "could not bill", "too much", { context: "Orders", order: 31 }],
      ["critical", "no database", "no database", { context: "Orders" }],
    ]);
    expect(gateway.events("log")[0]?.breadcrumbs).toMatchObject([
      { category: "log", level: "info", message: "placed", data: { context: "Orders" } },
      { category: "log", level: "warning", message: "slow", data: { context: "Orders", ms: 300 } },
    ]);
  });

  it("has the same output and return values", () => {
    const stack = String(new Error("no van").stack);
    orders.log("placed");
    orders.error("could not ship", stack);
    expect(logger.printed).toEqual([["log", "Orders", "placed"], ["error", "Orders", "could not ship"], stack]);
    expect([logger.error.name, logger.error.length]).toEqual(["error", ConsoleLogger.prototype.error.length]);
    const broken = whenceLogger({
      isLevelEnabled: () => expect.unreachable("asked without a client"),
      error: (message: string) => `${message}!`,
    });
    expect(broken.error("logged")).toBe("logged!");
    expect(() => whenceLogger(Object.freeze({ error: () => undefined })).error()).not.toThrow();
  });

  it("reports an error once that is captured, too", async () => {
    const error = new Error("closed");
    orders.error(error.message, error.stack);
    captureException(error);
    await flush();
    expect(gateway.events().filter(({ type }) => type !== "heartbeat")).toMatchObject([{ type: "exception" }]);
  });

  it.each([
    ["Nest", []],
    ["a filter of the program", [new LoggingFilter()]],
  ])("reports a route's error once when %s logs it, and no bad request", async (_who, filters) => {
    const app = await NestFactory.create(App, { logger });
    app.useGlobalFilters(...filters);
    whenceNest(app);
    await app.listen(0, "127.0.0.1");
    for (const path of ["/broken", "/gone"]) await ask((await app.getUrl()) + path);
    await app.close();
    await flush();
    expect(gateway.events("exception").map(({ message }) => message)).toEqual(["no stock"]);
    expect(gateway.events("log")).toEqual([]);
  });
});
