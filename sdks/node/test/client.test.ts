import { limits } from "@whence/protocol/limits";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Client } from "../src/client.ts";
import * as sdkLimits from "../src/sdk-limits.ts";
import { startGateway, type TestGateway } from "./gateway.ts";
import { eventually } from "./polling.ts";
import { stopClock } from "./stopped-clock.ts";

let gateway: TestGateway;
let client: Client;
let startClock: () => void;

beforeEach(async () => {
  startClock = stopClock("setInterval", Date.parse("2026-11-21T12:00:00Z"));
  gateway = await startGateway();
  client = new Client({
    apiKey: "k",
    service: "s",
    env: "PROD",
    endpoint: gateway.url,
    release: undefined,
    redact: [],
    errorFields: [],
    rules: { beforeSend: undefined, beforeBreadcrumb: undefined, ignoreErrors: [], sampleRate: 1 },
    source: "functions",
    logs: [],
    databases: true,
    spool: { off: "spool is false" },
    hangWatch: true,
    localVariables: false,
    watchServers: false,
    watch: false,
  });
  client.start([]);
});
afterEach(async () => {
  await client.close(100);
  startClock();
  await gateway.close();
});

/** Advances the client's time by `ms`, in steps of five seconds, each until its batch has arrived. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 5_000) {
    vi.advanceTimersByTime(Math.min(left, 5_000));
    const seen = gateway.posts.length;
    await new Promise((resolve) => {
      setTimeout(resolve, 30);
    });
    if (gateway.posts.length > seen) await eventually(() => gateway.openAtOnce > 0);
  }
}

describe("the client", () => {
  // requirement: telemetry.batches
  // requirement: limits.flush-5-s
  it("sends an event after five seconds, and not before", async () => {
    client.capture.message("hello");
    await pass(4_999);
    expect(gateway.posts).toHaveLength(0);
    await pass(1);
    await eventually(() => gateway.events("log").length === 1);
  });

  // requirement: telemetry.heartbeat
  // requirement: limits.heartbeat-60-s
  it("sends a heartbeat with its first batch, then every sixty seconds, and not before", async () => {
    await pass(5_000);
    await eventually(() => gateway.events("heartbeat").length === 1);
    await pass(55_000);
    expect(gateway.events("heartbeat")).toHaveLength(1);
    await pass(5_000);
    await eventually(() => gateway.events("heartbeat").length === 2);
    const times = gateway.events("heartbeat").map(({ timestamp }) => Date.parse(timestamp));
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBe(60_000);
  });

  it("reports the state of the process in a heartbeat", async () => {
    await client.delivery.flush();
    const [beat] = gateway.events("heartbeat");
    expect(beat).toMatchObject({ type: "heartbeat", level: "info", mechanism: { type: "heartbeat", handled: true } });
    expect(beat?.attributes).toMatchObject({
      rss_bytes: expect.any(Number),
      heap_used_bytes: expect.any(Number),
      heap_limit_bytes: expect.any(Number),
      event_loop_delay_ms: expect.any(Number),
      uptime_seconds: expect.any(Number),
      internal_errors: 0,
    });
  });

  it("carries level and attributes of a captured error", async () => {
    const id = client.capture.exception(new Error("x"), {
      level: "warning",
      attributes: { order: 31, at: new Date(0) },
    });
    await client.delivery.flush();
    expect(gateway.events("exception")).toMatchObject([
      { id, level: "warning", attributes: { order: 31, at: "1970-01-01T00:00:00.000Z" } },
    ]);
  });

  it("prints the stacks of causes after the capturing call, not in it", async () => {
    let reads = 0;
    const cause = Object.defineProperty(new Error("cause"), "stack", { get: () => `Error: cause ${++reads}` });
    client.capture.exception(new Error("failed", { cause }));
    expect(reads).toBe(0);
    await eventually(() => reads === 1);
    await client.delivery.flush();
    expect([reads, gateway.events("exception")[0]?.exceptions?.[1]?.stack]).toEqual([1, "Error: cause 1"]);
  });

  it("prints the causes of an event that replaces a log record, too", async () => {
    let reads = 0;
    const cause = Object.defineProperty(new Error("cause"), "stack", { get: () => `Error: cause ${++reads}` });
    const error = new Error("failed", { cause });
    client.capture.log(() => ({ logger: "console", level: "error", message: "", error }));
    await eventually(() => reads === 1);
    client.capture.exception(error);
    await eventually(() => reads === 2);
  });

  it("sends early when printing grows the queue to more than half of its memory", async () => {
    const stack = (index: number): string => `Error: cause\n    at work${index} (/${"f".repeat(20_000)}.js:1:2)`;
    for (let index = 0; index < 300; index++) {
      client.capture.exception(
        new Error("failed", { cause: Object.assign(new Error("cause"), { stack: stack(index) }) }),
      );
    }
    await eventually(() => gateway.events("exception").length === 300);
  });

  it("works where a test has removed setImmediate", async () => {
    vi.stubGlobal("setImmediate", undefined);
    try {
      client.capture.exception(new Error("failed", { cause: new Error("cause") }));
      expect(await client.delivery.flush()).toBe(true);
    } finally {
      vi.unstubAllGlobals();
    }
    expect([gateway.events("exception").length, gateway.batches.flatMap(({ dropped = [] }) => dropped)]).toEqual([
      1,
      [],
    ]);
  });

  it("attaches its source to the first five errors of one stack in a batch", async () => {
    for (let count = 0; count < 6; count++) client.capture.exception(new Error("x"));
    await client.delivery.flush();
    const contexts = gateway
      .events("exception")
      .map(({ exceptions }) => exceptions?.[0]?.frames?.[0]?.context !== undefined);
    expect(contexts).toEqual([true, true, true, true, true, false]);
  });

  describe("with the source", () => {
    afterEach(() => {
      vi.unstubAllEnvs();
    });

    const sent = async () => {
      client.capture.exception(new Error("x"));
      await client.delivery.flush();
      return gateway.events("exception")[0]?.environment_variables;
    };

    it("sends the names of the environment's variables, and no value", async () => {
      vi.stubEnv("RECEIPT_KEY", ["a", "secret", "value"].join("-"));
      vi.stubEnv("EMPTY", "");
      vi.stubEnv("GONE", undefined);
      const names = await sent();
      expect(names).toEqual(expect.arrayContaining(["RECEIPT_KEY", "EMPTY"]));
      expect(names).not.toContain("GONE");
      expect(JSON.stringify(gateway.events())).not.toContain(process.env.RECEIPT_KEY);
    });

    it.each([
      [limits.environmentVariableLengthMax, true],
      [limits.environmentVariableLengthMax + 1, false],
    ])("sends all names or none: one of %i characters fits: %s", async (length, fits) => {
      vi.stubEnv("V".repeat(length), "1");
      expect((await sent()) !== undefined).toBe(fits);
    });

    it.each([
      [limits.environmentVariablesMax, true],
      [limits.environmentVariablesMax + 1, false],
    ])("sends all names or none: %i of them fit: %s", async (count, fits) => {
      const missing = count - Object.keys(process.env).length;
      for (let index = 0; index < missing; index++) vi.stubEnv(`VARIABLE_${index}`, "1");
      expect((await sent())?.length).toBe(fits ? count : undefined);
    });
  });

  it("delivers a burst of 1,000 errors by flush", async () => {
    for (let count = 0; count < 1_000; count++) client.capture.exception(new Error(`failure ${count}`));
    expect(await client.delivery.flush()).toBe(true);
    expect(gateway.events("exception")).toHaveLength(1_000);
  });

  it("reports that a flush did not deliver events evicted before it, and how many", async () => {
    const count = sdkLimits.queueEventsMax + 300;
    for (let number = 0; number < count; number++) client.capture.exception(new Error(`failure ${number}`));
    expect(client.delivery.lost).toEqual({ queue_full: 300 });
    expect(await client.delivery.flush()).toBe(false);
    const { queue_full: lost = 0, ...others } = client.delivery.lost;
    // The first heartbeat finds no room either.
    expect([gateway.events().length + lost, others]).toEqual([count + 1, {}]);
    client.capture.message("x");
    expect(await client.delivery.flush()).toBe(true);
    expect(client.delivery.lost).toEqual({ queue_full: lost });
  });

  it("reports when a flush did not deliver everything", async () => {
    gateway.answers.push({ status: 400 });
    client.capture.message("x");
    expect(await client.delivery.flush()).toBe(false);
  });

  it("leaves reporting an integration's losses to the program's own flush", async () => {
    gateway.answers.push({ status: 400 });
    client.capture.message("x");
    await client.delivery.deliver(1_000);
    expect(await client.delivery.flush()).toBe(false);
    expect(await client.delivery.flush()).toBe(true);
  });

  it("ends a flush after its timeout", async () => {
    gateway.answers.push({ status: 503, headers: { "retry-after": "3600" } });
    client.capture.message("x");
    expect(await client.delivery.flush(50)).toBe(false);
  });

  it("sends an exit event when it is closed", async () => {
    client.capture.message("x");
    expect(await client.close()).toBe(true);
    expect(gateway.events().map(({ type }) => type)).toEqual(["log", "exit", "heartbeat"]);
  });

  it("reports events lost to its own errors by number", async () => {
    const attributes = {
      get broken(): never {
        throw new Error("a trap");
      },
    };
    client.capture.message("kept", { attributes });
    const incoming = {
      get headers(): never {
        throw new Error("a trap");
      },
    };
    const serve = (): void =>
      client.requests.serve(
        incoming,
        () => undefined,
        () => {
          client.capture.message("lost");
        },
      );
    expect(serve).toThrow("a trap");
    await client.delivery.flush();
    expect(gateway.events("log")).toMatchObject([{ message: "kept" }]);
    expect(gateway.batches[0]?.dropped).toEqual([{ from_seq: 2, to_seq: 2, reason: "internal_error" }]);
  });

  it("reports two logged errors of one place as two, and each only once", async () => {
    for (const _ of [1, 2]) {
      const error = new Error("no stock");
      client.capture.log(() => ({ logger: "console", level: "error", message: "", error }));
      client.capture.log(() => ({ logger: "console", level: "error", message: "again", error }));
      const { name, message, stack } = error;
      client.capture.log(() => ({ logger: "console", level: "error", message: "", error: { name, message, stack } }));
    }
    await client.delivery.flush();
    expect(gateway.events("log").map(({ message }) => message)).toEqual(["no stock", "no stock"]);
  });

  it("reports an error that is logged again after the clock was set back", async () => {
    const error = new Error("no stock");
    const log = (): void => client.capture.log(() => ({ logger: "console", level: "error", message: "", error }));
    log();
    vi.setSystemTime(Date.now() - 3_600_000);
    log();
    await client.delivery.flush();
    expect(gateway.events("log")).toHaveLength(2);
  });

  it("sends a hundred queued events in the next turn, and fewer with the next flush", async () => {
    for (let count = 1; count < sdkLimits.sendFromEvents; count++)
      client.capture.exception(new Error(`failure ${count}`));
    await pass(4_999);
    expect(gateway.posts).toHaveLength(0);
    client.capture.exception(new Error("the hundredth"));
    await eventually(() => gateway.events("exception").length === sdkLimits.sendFromEvents);
  });

  it("delivers a thousand simultaneous errors in addition to two hundred earlier ones", async () => {
    for (let count = 0; count < 1_200; count++) {
      if (count === 200) await eventually(() => gateway.events("exception").length > 0);
      client.capture.exception(new Error(`failure ${count}`, { cause: new Error("cause") }));
    }
    expect(await client.delivery.flush()).toBe(true);
    expect(gateway.events("exception")).toHaveLength(1_200);
  });

  it("stays within its limits with 10,000 errors that no service accepts", async () => {
    gateway.answers.push(...Array.from({ length: 50 }, () => ({ status: 503 })));
    for (let count = 0; count < 10_000; count++) client.capture.exception(new Error(`failure ${count}`));
    gateway.answers.length = 0;
    await client.delivery.flush();
    const delivered = gateway.events("exception").length;
    expect(delivered).toBeLessThanOrEqual(sdkLimits.queueEventsMax);
    const dropped = gateway.batches.flatMap((batch) => batch.dropped ?? []);
    const lost = dropped.reduce((sum, { from_seq, to_seq }) => sum + to_seq - from_seq + 1, 0);
    const numbered = Math.max(...gateway.events().map(({ seq }) => seq), ...dropped.map(({ to_seq }) => to_seq));
    expect(gateway.events().length + lost).toBe(numbered);
    expect(new Set(dropped.map(({ reason }) => reason))).toEqual(new Set(["queue_full"]));
  });
});
