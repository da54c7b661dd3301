import { levels, type Level as ProtocolLevel } from "@whence/protocol/level";
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from "vitest";
import * as api from "../src/index.ts";
import {
  addBreadcrumb,
  captureException,
  captureMessage,
  close,
  flush,
  init,
  type Level,
  lostEvents,
} from "../src/index.ts";
import { startGateway, type TestGateway } from "./gateway.ts";

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(async () => {
  await close(1_000);
  await gateway.close();
});

const watched = ["uncaughtExceptionMonitor", "unhandledRejection", "uncaughtException", "exit", "newListener"];
const listeners = (): number[] => watched.map((event) => process.listenerCount(event));

describe("the package", () => {
  it("exports twelve functions and a list of names", () => {
    expect(Object.keys(api).sort()).toEqual([
      "addBreadcrumb",
      "captureException",
      "captureMessage",
      "close",
      "credentialHeaders",
      "flush",
      "init",
      "lostEvents",
      "setContext",
      "setTag",
      "setTags",
      "setUser",
      "withScope",
    ]);
  });

  it("has protocol's levels", () => {
    expectTypeOf<Level>().toEqualTypeOf<ProtocolLevel>();
    expect(levels).toHaveLength(5);
  });
});

describe("init", () => {
  // requirement: telemetry.option-enabled-false
  it("installs and sends nothing when the client is off", async () => {
    const before = listeners();
    init({ apiKey: "k", endpoint: gateway.url, enabled: false });
    expect(listeners()).toEqual(before);
    addBreadcrumb({ category: "x" });
    expect([captureException(new Error("x")), captureMessage("x"), await flush(), lostEvents()]).toEqual([
      undefined,
      undefined,
      true,
      {},
    ]);
    expect(gateway.posts).toEqual([]);
  });

  it("keeps the first client when it is called twice", async () => {
    init({ apiKey: "first", endpoint: gateway.url });
    const once = listeners();
    init({ apiKey: "second", endpoint: gateway.url });
    expect(listeners()).toEqual(once);
    captureMessage("x");
    await flush();
    expect(gateway.posts.map(({ headers }) => headers["x-api-key"])).toEqual(["first"]);
  });

  it("doesn't throw, whatever the options", () => {
    for (const given of [
      undefined,
      null,
      7,
      "key",
      {
        get apiKey(): string {
          throw new Error("a trap");
        },
      },
    ]) {
      expect(() => init(given as unknown as { apiKey: string })).not.toThrow();
    }
  });

  it("starts a new client after close, with a new instance", async () => {
    const before = listeners();
    init({ apiKey: "k", endpoint: gateway.url });
    captureMessage("one");
    await close();
    expect(listeners()).toEqual(before);
    expect(captureMessage("between")).toBeUndefined();
    init({ apiKey: "k", endpoint: gateway.url });
    captureMessage("two");
    await flush();
    const [first, second] = [gateway.batches[0], gateway.batches.at(-1)];
    expect(first?.instance).not.toBe(second?.instance);
    expect(second?.events.map(({ seq, message }) => [seq, message])).toEqual([
      [1, "two"],
      [2, "heartbeat"],
    ]);
  });
});

describe("a capture", () => {
  it("returns the id of the event that arrives", async () => {
    init({ apiKey: "k", endpoint: gateway.url });
    const ids = [captureException(new Error("x")), captureMessage("y", { level: "error" })];
    await flush();
    const arrived = gateway.events().filter(({ type }) => type !== "heartbeat");
    expect(arrived.map(({ id }) => id)).toEqual(ids);
    expect(arrived.map(({ level }) => level)).toEqual(["error", "error"]);
  });

  // requirement: telemetry.exception-breadcrumbs
  it("carries the last 100 breadcrumbs of 101", async () => {
    init({ apiKey: "k", endpoint: gateway.url });
    for (let count = 1; count <= 101; count++) addBreadcrumb({ category: "step", message: `${count}` });
    captureException(new Error("x"));
    await flush();
    const messages = gateway.events("exception")[0]?.breadcrumbs?.map(({ message }) => message);
    expect(messages).toEqual(Array.from({ length: 100 }, (_, index) => `${index + 2}`));
  });

  it("trims what is too large, and never throws into the program", async () => {
    init({ apiKey: "k", endpoint: gateway.url });
    const cyclic: Record<string, unknown> = { big: "x".repeat(1_000_000) };
    cyclic.self = cyclic;
    addBreadcrumb({ category: "c", message: "m".repeat(100_000), data: cyclic });
    captureException(new Error("x".repeat(1_000_000)), { attributes: cyclic, level: "nonsense" as Level });
    expect(
      captureMessage({
        toString: () => {
          throw new Error("a trap");
        },
      } as unknown as string),
    ).toEqual(expect.any(String));
    expect(await flush()).toBe(true);
    expect(gateway.events("exception")).toHaveLength(1);
    expect(gateway.events("exception")[0]?.level).toBe("error");
  });
});

describe("flush", () => {
  it("without a timeout waits until everything has arrived, without a warning from Node", async () => {
    const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
    init({ apiKey: "k", endpoint: gateway.url });
    gateway.answers.push({ status: 202, afterMs: 20 });
    captureMessage("x");
    expect(await flush(Number.POSITIVE_INFINITY)).toBe(true);
    expect(warned.mock.calls).toEqual([]);
  });

  it("doesn't use a test's fake timers, which it may run until none is left", async () => {
    vi.useFakeTimers();
    init({ apiKey: "k", endpoint: gateway.url });
    captureMessage("x");
    const timers = vi.getTimerCount();
    vi.useRealTimers();
    expect(timers).toBe(0);
  });

  it("ends in time even if a test has stopped the clock", async () => {
    init({ apiKey: "k", endpoint: gateway.url });
    gateway.answers.push({ status: 503, headers: { "retry-after": "60" } });
    captureMessage("x");
    vi.useFakeTimers();
    const flushed = flush(200);
    await expect(flushed.finally(() => vi.useRealTimers())).resolves.toBe(false);
  });
});
