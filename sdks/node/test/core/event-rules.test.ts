import { channel } from "node:diagnostics_channel";
import { createServer, get } from "node:http";
import { text } from "node:stream/consumers";
import type { TelemetryEvent } from "@whence/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Client } from "../../src/client.ts";
import { whenceJob } from "../../src/frameworks/jobs.ts";
import {
  addBreadcrumb,
  type BeforeBreadcrumb,
  captureException,
  captureMessage,
  close,
  flush,
  type InitOptions,
  init,
  type LevelName,
  lostEvents,
} from "../../src/index.ts";
import { resolveOptions } from "../../src/options.ts";
import { closeServer, listen, startGateway, type TestGateway } from "../gateway.ts";

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await close(1_000);
  await gateway.close();
});

const start = (options: Partial<InitOptions>): void => init({ apiKey: "k", endpoint: gateway.url, ...options });
const reported = (): TelemetryEvent[] => gateway.events().filter(({ type }) => type === "exception" || type === "log");
/** Calls the observers of `console.error`, without the output. */
const logError = (...args: unknown[]): void => channel("console.error").publish(args);
const dropped = () => gateway.batches.flatMap((batch) => batch.dropped ?? []);

describe("ignoreErrors", () => {
  class QuotaError extends Error {}

  it("excludes and counts errors whose name and message match a text or pattern", async () => {
    start({ ignoreErrors: ["AbortError", /^QuotaError: .* reached$/g, "hung up"] });
    const aborted = Object.assign(new Error("stop"), { name: "AbortError" });
    for (const error of [aborted, new QuotaError("limit reached"), "socket hung up", new Error("reached")])
      expect(captureException(error)).toEqual(expect.any(String));
    captureMessage("the client hung up");
    captureMessage("done");
    expect(await flush()).toBe(true);
    expect(reported().map(({ message }) => message)).toEqual(["reached", "done"]);
    expect(lostEvents()).toEqual({ ignored: 4 });
    expect(dropped()).toEqual([
      { from_seq: 1, to_seq: 3, reason: "ignored" },
      { from_seq: 5, to_seq: 5, reason: "ignored" },
    ]);
  });

  it("turns matching log records, and those that log an ignored error, into breadcrumbs", async () => {
    start({ ignoreErrors: ["AbortError"], logs: ["console"] });
    logError(Object.assign(new Error("stop"), { name: "AbortError" }));
    captureException(new Error("after"));
    await flush();
    expect(reported()).toMatchObject([{ message: "after", breadcrumbs: [{ category: "log", message: "stop" }] }]);
  });

  it("excludes the failure of a job, which still fails", async () => {
    start({ ignoreErrors: ["no stock"] });
    const job = whenceJob("ship", () => Promise.reject(new Error("no stock")));
    await expect(job()).rejects.toThrow("no stock");
    await flush();
    expect(reported()).toEqual([]);
  });
});

describe("sampleRate", () => {
  it("reports that share of errors and messages, and counts the others", async () => {
    const options = resolveOptions({ apiKey: "k", endpoint: gateway.url, sampleRate: 0.25 }, () => undefined);
    if (!options) throw new Error("no options");
    let next = 0;
    const client = new Client(options, Date.now, () => (next++ % 4) / 4);
    client.start([]);
    for (let count = 0; count < 6; count++) client.capture.exception(new Error(`error ${count}`));
    for (let count = 6; count < 12; count++) client.capture.message(`message ${count}`);
    await client.delivery.flush();
    expect(reported().map(({ message }) => message)).toEqual(["error 0", "error 4", "message 8"]);
    expect(client.delivery.lost).toEqual({ sampled_out: 9 });
    await client.close();
  });

  it("of 0 still reports uncaught errors, and heartbeats", async () => {
    start({ sampleRate: 0 });
    captureException(new Error("captured"));
    process.emit("uncaughtExceptionMonitor", new Error("uncaught"), "uncaughtException");
    await flush();
    expect(gateway.events("exception").map(({ message }) => message)).toEqual(["uncaught"]);
  });

  it("decides once about an error that passes through several handlers", async () => {
    const random = vi.spyOn(Math, "random").mockReturnValueOnce(0.9).mockReturnValue(0);
    start({ sampleRate: 0.5, logs: ["console"] });
    const job = whenceJob("ship", () => {
      const error = new Error("no stock");
      captureException(error);
      logError("failed", error);
      throw error;
    });
    expect(job).toThrow("no stock");
    await flush();
    expect(reported()).toEqual([]);
    random.mockRestore();
  });
});

describe("beforeBreadcrumb", () => {
  const crumbs = async (): Promise<unknown[]> => {
    captureException(new Error("x"));
    await flush();
    return reported().at(-1)?.breadcrumbs ?? [];
  };

  it("changes or drops a breadcrumb, and is called once for each", async () => {
    const seen: string[] = [];
    start({
      beforeBreadcrumb(crumb) {
        seen.push(`${crumb.category} ${crumb.message}`);
        if (crumb.category === "secret") return null;
        return { ...crumb, message: crumb.message?.toUpperCase(), data: { ...crumb.data, seen: true } };
      },
    });
    addBreadcrumb({ category: "step", message: "one", data: { a: 1 } });
    addBreadcrumb({ category: "secret", message: "two" });
    expect(await crumbs()).toMatchObject([{ category: "step", message: "ONE", data: { a: 1, seen: true } }]);
    expect(seen).toEqual(["step one", "secret two"]);
  });

  it.each<[string, unknown]>([
    [
      "throws",
      () => {
        throw new Error("the hook's own");
      },
    ],
    ["returns a promise", async (crumb: unknown) => crumb],
    ["returns something else", () => 7],
  ])("that %s keeps the breadcrumb unchanged, and the failure is counted", async (_what, hook) => {
    start({ beforeBreadcrumb: hook as BeforeBreadcrumb });
    addBreadcrumb({ category: "step", message: "one" });
    expect(await crumbs()).toMatchObject([{ category: "step", message: "one" }]);
    await flush();
    expect(gateway.events("heartbeat")[0]?.attributes?.internal_errors).toBe(1);
  });

  it("may log and record without being called for that", async () => {
    vi.spyOn(console, "log").mockReturnValue();
    start({
      beforeBreadcrumb(crumb) {
        console.log("seen", crumb.category);
        addBreadcrumb({ category: "inner" });
        return crumb;
      },
    });
    addBreadcrumb({ category: "step" });
    expect(await crumbs()).toMatchObject([{ category: "step" }]);
  });

  it("gets an outgoing request when it starts and when it is answered, and may drop it then", async () => {
    const upstream = createServer((request, response) =>
      response.writeHead(request.url === "/ok?key=1" ? 200 : 404).end(),
    );
    const base = `http://127.0.0.1:${await listen(upstream)}`;
    start({
      beforeBreadcrumb(crumb) {
        if (crumb.data?.status_code === 404) return null;
        return { ...crumb, data: { ...crumb.data, url: String(crumb.data?.url).replace(/\?.*/, "") } };
      },
    });
    for (const path of ["/ok?key=1", "/missing"])
      await new Promise((resolve) => get(base + path, (response) => void text(response).then(resolve)));
    expect(await crumbs()).toMatchObject([{ data: { url: `${base}/ok`, status_code: 200 } }]);
    const sent = gateway.events().map(({ breadcrumbs }) => breadcrumbs);
    expect(JSON.stringify(sent)).not.toMatch(/key=1|missing/);
    await closeServer(upstream);
  });
});

describe("a level", () => {
  it.each<[LevelName, string]>([
    ["fatal", "critical"],
    ["warn", "warning"],
    ["log", "info"],
    ["warning", "warning"],
  ])("%s is the protocol's %s, alone or among options", async (name, level) => {
    start({});
    captureException(new Error("alone"), name);
    captureException(new Error("among options"), { level: name });
    captureMessage("message", name);
    await flush();
    expect(reported().map((event) => event.level)).toEqual([level, level, level]);
  });
});

describe("the stack of a captured message or string", () => {
  it("begins where the program captured it", async () => {
    start({});
    const chargeCard = (): void => {
      captureMessage("card declined", "error");
      captureMessage("card declined", "error");
      captureException("no card");
    };
    chargeCard();
    await flush();
    const events = reported();
    expect(events.map(({ type, message }) => [type, message])).toEqual([
      ["log", "card declined"],
      ["log", "card declined"],
      ["exception", "no card"],
    ]);
    for (const { exceptions } of events) {
      expect(exceptions?.[0]?.frames?.[0]).toMatchObject({ function: "chargeCard", in_app: true });
      expect(exceptions?.[0]?.frames?.[0]?.file).toContain("event-rules.test");
    }
  });
});
