import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { retryAfterMs } from "../../src/delivery/back-off.ts";
import { HttpSender } from "../../src/delivery/http.ts";
import * as sdkLimits from "../../src/sdk-limits.ts";
import { type ScriptedAnswer, startGateway, type TestGateway } from "../gateway.ts";
import { type TestTransport, testTransport } from "./test-transport.ts";

let gateway: TestGateway;
let test: TestTransport;

beforeEach(async () => {
  gateway = await startGateway();
  test = testTransport(gateway.url);
});
afterEach(async () => {
  test.sender.close();
  await gateway.close();
});

const seqs = (): number[] => gateway.events().map(({ seq }) => seq);

describe("sending", () => {
  it("posts to the gateway's path with the key, the process's header, and its numbered events", async () => {
    test.add(2);
    await test.transport.drain();
    const [post] = gateway.posts;
    expect(post?.path).toBe("/api/telemetry/events");
    expect(post?.headers["x-api-key"]).toBe("whk_test");
    expect(post?.batch).toMatchObject({ service: "s", env: "PROD", release: "r1", sdk: { name: "@whence/node" } });
    expect(post?.batch.host.pid).toBe(process.pid);
    expect(seqs()).toEqual([1, 2]);
  });

  it("gives the program a turn while it prints the stacks of causes", async () => {
    let turns = 0;
    const turned = (): void => {
      turns += 1;
      if (turns < 100) setImmediate(turned);
    };
    const printedIn: number[] = [];
    const slow = (): Error =>
      Object.defineProperty(new Error("cause"), "stack", {
        get: () => {
          printedIn.push(turns);
          test.pass(1);
          return "Error: cause";
        },
      });
    for (let count = 0; count < 3; count++) test.fail(new Error("failed", { cause: slow() }));
    setImmediate(turned);
    await test.transport.drain();
    expect(printedIn.length).toBe(3);
    expect(new Set(printedIn).size).toBe(3);
  });

  it("keeps the path that the endpoint has", () => {
    expect(new HttpSender("https://host/whence", "k").url.href).toBe("https://host/whence/api/telemetry/events");
    expect(new HttpSender("https://host/", "k").url.href).toBe("https://host/api/telemetry/events");
  });

  it("compresses bodies longer than a packet, and no others", async () => {
    test.add(1, 10);
    await test.transport.drain();
    test.add(1, 4_000);
    await test.transport.drain();
    expect(gateway.posts.map(({ headers }) => headers["content-encoding"])).toEqual([undefined, "gzip"]);
  });

  it("has one request in flight at a time, from any caller", async () => {
    gateway.answers.push({ status: 202, afterMs: 30 });
    test.add(1);
    const first = test.transport.drain();
    test.add(1);
    await Promise.all([first, test.transport.drain(), test.transport.drain()]);
    expect(gateway.openAtOnce).toBe(1);
    expect(seqs()).toEqual([1, 2]);
  });

  it("gives the program a turn while a batch is written, and loses none of it when others arrive", async () => {
    const turns: number[] = [];
    let turn = 0;
    const slow = testTransport(
      gateway.url,
      () => 1,
      () => {
        turns.push(turn);
        setImmediate(() => {
          turn += 1;
          slow.add(sdkLimits.queueEventsMax / 2);
        });
        slow.pass(sdkLimits.packingTurnMs);
        return false;
      },
    );
    slow.add(4);
    await slow.transport.drain();
    slow.sender.close();
    expect(turns.slice(0, 4)).toEqual([0, 1, 2, 3]);
    expect(seqs()).toEqual([1, 2, 3, 4]);
    expect(gateway.batches[0]?.dropped?.map(({ from_seq }) => from_seq)).toEqual([5]);
  });

  it("splits what doesn't fit into one batch", async () => {
    test.add(20, 60_000);
    await test.transport.drain();
    expect(gateway.batches.length).toBeGreaterThan(1);
    expect(seqs()).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });
});

describe("a response", () => {
  it.each<[string, ScriptedAnswer, number]>([
    ["503", { status: 503 }, 1_000],
    ["500 with a page", { status: 500, body: "<html>" }, 1_000],
    ["408", { status: 408 }, 1_000],
    ["429 that names seconds", { status: 429, headers: { "retry-after": "7" } }, 8_000],
    ["429 that names a date", { status: 429, headers: { "retry-after": "Sat, 21 Nov 2026 12:00:30 GMT" } }, 31_000],
    ["429 that names a time gone by", { status: 429, headers: { "retry-after": "0" } }, 1_000],
    ["503 that names nonsense", { status: 503, headers: { "retry-after": "soon" } }, 1_000],
    ["a redirect", { status: 307, headers: { location: "/elsewhere" } }, 1_000],
    ["200 with the page of some proxy", { status: 200, body: "<html>welcome</html>" }, 1_000],
    ["202 with half a response", { status: 202, body: '{"accepted":2,"rej' }, 1_000],
    ["401", { status: 401 }, 60_000],
    ["403", { status: 403 }, 60_000],
    ["404", { status: 404 }, 60_000],
  ])("of %s keeps the events until the wait is over", async (_what, answer, waitMs) => {
    gateway.answers.push(answer);
    test.add(2);
    await test.transport.drain();
    expect([test.transport.retryInMs, test.queue.size]).toEqual([waitMs, 2]);
    test.pass(waitMs - 1);
    await test.transport.drain();
    expect(gateway.posts).toHaveLength(1);
    test.pass(1);
    await test.transport.drain();
    expect(gateway.posts).toHaveLength(2);
    expect(
      gateway
        .events()
        .slice(-2)
        .map(({ seq }) => seq),
    ).toEqual([1, 2]);
    expect(test.queue.size).toBe(0);
    expect(test.queue.dropped()).toEqual([]);
  });

  it("that is missing resends the same batch, whatever was captured meanwhile", async () => {
    gateway.answers.push({ status: 500 }, { status: 503 });
    test.add(2);
    test.queue.addLost("internal_error");
    for (let attempt = 0; attempt < 3; attempt++) {
      await test.transport.drain();
      test.add(1);
      test.pass(60_000);
    }
    await test.transport.drain();
    const [first, second, third, fourth] = gateway.posts.map(({ batch }) => batch);
    expect([second, third]).toEqual([first, first]);
    expect(fourth?.events.map(({ seq }) => seq)).toEqual([4, 5]);
    expect(gateway.batches.map(({ dropped }) => dropped?.length)).toEqual([1, undefined, undefined]);
  });

  it("that fails again doubles the wait, up to a minute", async () => {
    test.add(1);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 8; attempt++) {
      gateway.answers.push({ status: 500 });
      await test.transport.drain();
      waits.push(test.transport.retryInMs);
      test.pass(test.transport.retryInMs);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  it("that fails causes a wait of half to all of the backoff", async () => {
    test = testTransport(gateway.url, () => 0);
    gateway.answers.push({ status: 500 });
    test.add(1);
    await test.transport.drain();
    expect(test.transport.retryInMs).toBe(500);
  });

  it("that fails causes no wait in a hurry, unless the service asked for one", async () => {
    gateway.answers.push({ status: 500 }, { status: 503, headers: { "retry-after": "5" } });
    test.add(1);
    await test.transport.drain();
    await test.transport.drainAtOnce();
    await test.transport.drainAtOnce();
    expect(gateway.posts).toHaveLength(2);
    test.pass(6_000);
    await test.transport.drain();
    expect(test.queue.size).toBe(0);
  });

  it("of 413 halves the batch until it is accepted, and grows slowly again", async () => {
    gateway.answers.push({ status: 413 }, { status: 413 });
    test.add(16, 1_000);
    await test.transport.drain();
    const sizes = gateway.posts.map(({ batch }) => batch.events.length);
    expect(sizes.slice(0, 3)).toEqual([16, 8, 4]);
    expect(Math.max(...sizes.slice(3))).toBeLessThan(8);
    expect(seqs()).toEqual(Array.from({ length: 16 }, (_, index) => index + 1));
    expect(test.queue.lost).toBe(0);
  });

  it("of 413 to a single event trims it until it is accepted, and loses nothing", async () => {
    gateway.answers.push({ status: 413 }, { status: 413 });
    test.add(1, 60_000);
    await test.transport.drain();
    const [message] = gateway.events().map((event) => event.message);
    expect(message).toMatch(/^m+… \[trimmed \d+ characters\]$/);
    expect(message?.length).toBeLessThan(16_000);
    expect(test.queue.dropped()).toEqual([]);
  });

  it("of 413 to everything keeps the event and pauses", async () => {
    gateway.answers.push(...Array.from({ length: 40 }, () => ({ status: 413 })));
    test.add(3, 60_000);
    await test.transport.drain();
    expect(gateway.posts.length).toBeLessThan(12);
    expect([test.queue.size, test.queue.lost, test.transport.retryInMs]).toEqual([3, 0, sdkLimits.backOffMaxMs]);
    gateway.answers.length = 0;
    test.pass(60_000);
    await test.transport.drain();
    expect(seqs()).toEqual([1, 2, 3]);
  });

  it.each([400, 415, 422])("of %i drops the batch, and the next one reports that", async (status) => {
    gateway.answers.push({ status });
    test.add(3);
    await test.transport.drain();
    test.add(1);
    await test.transport.drain();
    expect(gateway.batches[0]?.dropped).toEqual([{ from_seq: 1, to_seq: 3, reason: "rejected" }]);
    test.add(1);
    await test.transport.drain();
    expect(gateway.batches[1]?.dropped).toBeUndefined();
  });

  it("of 202 that rejects one event counts it as lost", async () => {
    gateway.answers.push({ status: 202, body: '{"accepted":1,"rejected":[{"index":1}]}' });
    test.add(2);
    await test.transport.drain();
    test.add(1);
    await test.transport.drain();
    expect(gateway.batches[1]?.dropped).toEqual([{ from_seq: 2, to_seq: 2, reason: "rejected" }]);
  });

  it.each(["null", "[]", '{"rejected":7}', '{"rejected":[null,"x",{"index":"1"},{"index":99}]}', ""])(
    "of 202 with the body %j, which isn't the service's, is handled",
    async (body) => {
      gateway.answers.push({ status: 202, body });
      test.add(2);
      await test.transport.drain();
      test.pass(60_000);
      await test.transport.drain();
      expect([test.queue.size, test.queue.lost]).toEqual([0, 0]);
    },
  );

  it("that never comes, because the service is down, keeps the events until it is back", async () => {
    await gateway.close();
    test.add(1);
    await test.transport.drain();
    expect([test.queue.size, test.transport.retryInMs]).toEqual([1, 1_000]);
    gateway = await startGateway();
  });
});

describe("an event that the program drops", () => {
  it("isn't sent, and is reported by number with those that are", async () => {
    test = testTransport(
      gateway.url,
      () => 1,
      (seq) => seq % 2 === 0,
    );
    test.add(4);
    await test.transport.drain();
    expect(seqs()).toEqual([1, 3]);
    expect(gateway.batches[0]?.dropped).toMatchObject([{ from_seq: 2 }, { from_seq: 4 }]);
  });

  it("makes no batch on its own", async () => {
    test = testTransport(
      gateway.url,
      () => 1,
      () => true,
    );
    test.add(2);
    await test.transport.drain();
    expect([gateway.posts.length, test.queue.size]).toEqual([0, 0]);
  });
});

describe("Retry-After", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");
  it.each([
    ["0", 0],
    ["120", 120_000],
    ["Sat, 21 Nov 2026 12:00:05 GMT", 5_000],
    ["Sat, 21 Nov 2026 11:00:00 GMT", 0],
    ["999999999", 3_600_000],
    ["-5", 0],
    ["whenever", 0],
    ["", 0],
    [undefined, 0],
  ])("of %s", (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});
