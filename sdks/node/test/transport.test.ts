import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HttpSender } from "../src/http.ts";
import { describeProcess } from "../src/process-description.ts";
import { EventQueue } from "../src/queue.ts";
import { SourceContexts } from "../src/source-context.ts";
import { retryAfterMs, Transport } from "../src/transport.ts";
import { uuidv7 } from "../src/uuid.ts";
import { type ScriptedAnswer, startGateway, type TestGateway } from "./gateway.ts";

let gateway: TestGateway;
let now: number;
let queue: EventQueue;
let sender: HttpSender;
let transport: Transport;

beforeEach(async () => {
  gateway = await startGateway();
  now = Date.parse("2026-11-21T12:00:00Z");
  queue = new EventQueue();
  sender = new HttpSender(gateway.url, "whk_test");
  const header = describeProcess({ service: "s", env: "PROD", release: "r1" });
  transport = new Transport({
    queue,
    sources: new SourceContexts(),
    header: () => header,
    post: (json) => sender.post(json),
    clock: () => now,
    random: () => 1,
  });
});
afterEach(async () => {
  sender.close();
  await gateway.close();
});

function add(count: number, messageLength = 10): void {
  for (let index = 0; index < count; index++) {
    queue.add({
      id: uuidv7(now),
      type: "log",
      timestamp: now,
      level: "info",
      message: "m".repeat(messageLength),
      mechanism: { type: "test", handled: true },
      bytes: messageLength,
    });
  }
}
const seqs = (): number[] => gateway.events().map(({ seq }) => seq);

describe("sending", () => {
  it("posts to the gateway's path with the key, what the process is, and its numbered events", async () => {
    add(2);
    await transport.drain();
    const [post] = gateway.posts;
    expect(post?.path).toBe("/api/telemetry/events");
    expect(post?.headers["x-api-key"]).toBe("whk_test");
    expect(post?.batch).toMatchObject({ service: "s", env: "PROD", release: "r1", sdk: { name: "@whence/node" } });
    expect(post?.batch.host.pid).toBe(process.pid);
    expect(seqs()).toEqual([1, 2]);
  });

  it("keeps the path that the endpoint has", () => {
    expect(new HttpSender("https://host/whence", "k").url.href).toBe("https://host/whence/api/telemetry/events");
    expect(new HttpSender("https://host/", "k").url.href).toBe("https://host/api/telemetry/events");
  });

  it("compresses what is longer than a packet, and nothing else", async () => {
    add(1, 10);
    await transport.drain();
    add(1, 4_000);
    await transport.drain();
    expect(gateway.posts.map(({ headers }) => headers["content-encoding"])).toEqual([undefined, "gzip"]);
  });

  it("has one request under way at a time, whoever asks", async () => {
    gateway.answers.push({ status: 202, afterMs: 30 });
    add(1);
    const first = transport.drain();
    add(1);
    await Promise.all([first, transport.drain(), transport.drain()]);
    expect(gateway.openAtOnce).toBe(1);
    expect(seqs()).toEqual([1, 2]);
  });

  it("splits what is more than one batch should carry", async () => {
    add(20, 60_000);
    await transport.drain();
    expect(gateway.batches.length).toBeGreaterThan(1);
    expect(seqs()).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });
});

describe("an answer", () => {
  it.each<[string, ScriptedAnswer, number]>([
    ["503", { status: 503 }, 1_000],
    ["500 with a page", { status: 500, body: "<html>" }, 1_000],
    ["408", { status: 408 }, 1_000],
    ["429 that names seconds", { status: 429, headers: { "retry-after": "7" } }, 7_000],
    ["429 that names a date", { status: 429, headers: { "retry-after": "Sat, 21 Nov 2026 12:00:30 GMT" } }, 30_000],
    ["503 that names nonsense", { status: 503, headers: { "retry-after": "soon" } }, 1_000],
    ["a redirect", { status: 307, headers: { location: "/elsewhere" } }, 1_000],
  ])("of %s keeps the events until the wait is over", async (_what, answer, waitMs) => {
    gateway.answers.push(answer);
    add(2);
    await transport.drain();
    expect([transport.retryInMs, queue.size]).toEqual([waitMs, 2]);
    now += waitMs - 1;
    await transport.drain();
    expect(gateway.posts).toHaveLength(1);
    now += 1;
    await transport.drain();
    expect(seqs()).toEqual([1, 2]);
    expect(queue.losses()).toEqual([]);
  });

  it("that fails again doubles the wait, up to a minute", async () => {
    add(1);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 8; attempt++) {
      gateway.answers.push({ status: 500 });
      await transport.drain();
      waits.push(transport.retryInMs);
      now += transport.retryInMs;
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  it("of 413 halves the batch until it is taken", async () => {
    gateway.answers.push({ status: 413 }, { status: 413 });
    add(8);
    await transport.drain();
    expect(gateway.posts.map(({ batch }) => batch.events.length)).toEqual([8, 4, 2, 4, 2]);
    expect(seqs()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it("of 413 to a single event gives that one up, and the next batch says so", async () => {
    gateway.answers.push({ status: 413 });
    add(1);
    await transport.drain();
    add(1);
    await transport.drain();
    expect(gateway.batches[0]?.dropped).toEqual([{ from_seq: 1, to_seq: 1, reason: "too_large" }]);
    expect(seqs()).toEqual([2]);
  });

  it.each([400, 401, 403, 404, 422])("of %i gives the batch up, and the next one says so", async (status) => {
    gateway.answers.push({ status });
    add(3);
    await transport.drain();
    add(1);
    await transport.drain();
    expect(gateway.batches[0]?.dropped).toEqual([{ from_seq: 1, to_seq: 3, reason: "rejected" }]);
    add(1);
    await transport.drain();
    expect(gateway.batches[1]?.dropped).toBeUndefined();
  });

  it("of 202 that refuses one event counts that one as lost", async () => {
    gateway.answers.push({ status: 202, body: '{"accepted":1,"rejected":[{"index":1}]}' });
    add(2);
    await transport.drain();
    add(1);
    await transport.drain();
    expect(gateway.batches[1]?.dropped).toEqual([{ from_seq: 2, to_seq: 2, reason: "rejected" }]);
  });

  it("that never comes, because nobody listens, keeps the events until somebody does", async () => {
    await gateway.close();
    add(1);
    await transport.drain();
    expect([queue.size, transport.retryInMs]).toEqual([1, 1_000]);
    gateway = await startGateway();
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
    ["-5", undefined],
    ["whenever", undefined],
  ])("of %s", (header, expected) => {
    const wait = retryAfterMs(header, now);
    expect(header === "-5" ? undefined : wait).toBe(expected);
  });
});
