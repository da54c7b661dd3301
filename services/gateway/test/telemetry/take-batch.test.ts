import { gzipSync } from "node:zlib";
import { type Dropped, limits, redactedValue, type TelemetryEvent } from "@whence/protocol";
import type { NewMessage } from "@whence/storage";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BatchMessage, readBatchMessage } from "../../src/telemetry/batch-message.ts";
import { type TakenBatch, takeBatch } from "../../src/telemetry/take-batch.ts";
import { batchOf, exceptionEvent, logEvent } from "../batches.ts";

const frame = { scopeId: "org_1", receivedAt: "2026-03-01T12:00:00.000Z", retentionDays: null, userKey: "key" };
/** NATS rejects a longer one by default. */
const natsPayloadMax = 1_048_576;

const takeText = (text: string): TakenBatch => takeBatch({ text, value: JSON.parse(text) }, frame);
const take = (batch: unknown): TakenBatch => takeText(JSON.stringify(batch));

function read({ body }: NewMessage): BatchMessage {
  const read = readBatchMessage(body);
  if ("unreadable" in read) throw new Error(read.unreadable);
  return read;
}

const eventsOf = ({ messages }: TakenBatch): TelemetryEvent[] => messages.flatMap((one) => read(one).batch.events);
const droppedOf = ({ messages }: TakenBatch): Dropped[] => messages.flatMap((one) => read(one).batch.dropped ?? []);
const events = (count: number, fill = ""): TelemetryEvent[] =>
  Array.from({ length: count }, (_, index) => logEvent({ seq: index + 1, attributes: { fill } }));
const withHeaders = (headers: Record<string, string>, seq = 1) =>
  logEvent({ seq, request: { method: "GET", path: "/", headers } });

describe("a batch that needs no change", () => {
  it("is passed on as the received text, including whitespace", () => {
    const text = JSON.stringify(batchOf([withHeaders({ authorization: redactedValue })]), null, 2);
    const [message] = takeText(text).messages;
    expect(message?.body).toBe(`{"scope_id":"org_1","received_at":"2026-03-01T12:00:00.000Z"}\n${text}`);
  });

  it("is passed on as the received gzip, when that is at most half as long", () => {
    const value = batchOf(events(40, "long ".repeat(50)));
    const text = JSON.stringify(value);
    const packed = gzipSync(text);
    const { messages } = takeBatch({ text, value, packed }, frame);
    expect(messages[0]?.body.length).toBeLessThan(text.length / 2);
    expect(messages[0]?.body).toContain(packed.toString("base64"));
    expect(messages.map(read)).toEqual([{ scope_id: "org_1", received_at: frame.receivedAt, batch: value }]);
  });

  it.each([
    ["short", JSON.stringify(batchOf([logEvent()])), gzipSync],
    [
      "packed badly",
      JSON.stringify(batchOf(events(40, "long ".repeat(50)))),
      (text: string) => gzipSync(text, { level: 0 }),
    ],
  ])("is passed on as text when it is %s", (_, text, pack) => {
    const { messages } = takeBatch({ text, value: JSON.parse(text), packed: pack(text) }, frame);
    expect(messages[0]?.body).toContain(`\n${text}`);
  });

  it("includes its organization's retention, if it has one", () => {
    const value = batchOf([logEvent()]);
    const { messages } = takeBatch({ text: JSON.stringify(value), value }, { ...frame, retentionDays: 7 });
    expect(messages.map(read)).toEqual([
      { scope_id: "org_1", received_at: frame.receivedAt, retention_days: 7, batch: value },
    ]);
  });

  it("keeps the last of duplicate fields, and half a character unchanged", () => {
    const text = JSON.stringify(batchOf([logEvent({ message: "HERE" })]));
    const half = takeText(text.replace("HERE", "\\ud83d"));
    expect(eventsOf(half)[0]?.message).toBe("\ud83d");
    const twice = takeText(text.replace('"message":"HERE"', '"message":"first","message":"last"'));
    expect(eventsOf(twice)[0]?.message).toBe("last");
  });
});

describe("a batch with users", () => {
  const withUser = (user: Record<string, unknown>, seq = 1) => logEvent({ seq, user });
  const usersOf = (taken: TakenBatch) => eventsOf(taken).map(({ user }) => user);
  const take = (users: Record<string, unknown>[], key: string | null = "key") => {
    const value = batchOf(users.map((user, index) => withUser(user, index + 1)));
    const text = JSON.stringify(value);
    return takeBatch({ text, value, packed: gzipSync(text) }, { ...frame, userKey: key });
  };
  const hash = expect.stringMatching(/^hash:[0-9a-f]{16}$/);

  it("keeps hashes of whatever identifies them, and nothing that can be read", () => {
    const sent = {
      id: "ada",
      email: "ada@shop.example",
      ip: "203.0.113.9",
      age: 36,
      teams: ["a"],
      home: { city: "Bonn" },
    };
    const taken = take([sent]);
    expect(usersOf(taken)).toEqual([{ id: hash, email: hash, ip: hash, age: hash, teams: hash, home: hash }]);
    for (const { body } of taken.messages) expect(body).not.toMatch(/ada|203\.0|Bonn/);
  });

  it("keeps true, false, null, and what a client redacted", () => {
    const sent = { id: null, paying: true, trial: false, email: redactedValue };
    expect(usersOf(take([sent]))).toEqual([sent]);
  });

  it("keeps users distinct that were distinct before", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string({ minLength: 1 }), fc.integer())), (ids) => {
        const kept = usersOf(take(ids.map((id) => ({ id }))));
        expect(new Set(kept.map((user) => user?.id)).size).toBe(new Set(ids.map(String)).size);
      }),
    );
  });

  it("has other hashes under another key, and hashes what already looks like one", () => {
    const [mine] = usersOf(take([{ id: "ada" }]));
    expect(usersOf(take([{ id: "ada" }], "another"))).not.toEqual([mine]);
    expect(usersOf(take([{ id: mine?.id }]))).not.toEqual([mine]);
  });

  it("is passed on as received for an organization that stores them as sent", () => {
    const taken = take([{ id: "ada", email: "ada@shop.example" }], null);
    expect(usersOf(taken)).toEqual([{ id: "ada", email: "ada@shop.example" }]);
  });

  it("hashes them beside whatever else has to be changed", () => {
    const event = { ...withHeaders({ cookie: "hunter2" }), user: { id: 7 } };
    const [kept] = eventsOf(takeText(JSON.stringify(batchOf([event]))));
    expect(kept).toMatchObject({ user: { id: hash }, request: { headers: { cookie: redactedValue } } });
  });
});

describe("a batch that needs a change", () => {
  it("is passed on without a redacted value that the gzip still contains", () => {
    const value = batchOf([withHeaders({ cookie: "hunter2" }), ...events(40, "long ".repeat(50))]);
    const text = JSON.stringify(value);
    const packed = gzipSync(text);
    const taken = takeBatch({ text, value, packed }, frame);
    expect(JSON.stringify(taken.messages)).not.toContain(packed.toString("base64").slice(0, 64));
    expect(eventsOf(taken)[0]?.request?.headers).toEqual({ cookie: redactedValue });
  });

  it("is passed on without the values of redacted names, and with the other events unchanged", () => {
    const neighbor = exceptionEvent("f", { seq: 2 });
    const taken = take(batchOf([withHeaders({ Cookie: "hunter2", accept: "*/*" }), neighbor]));
    expect(taken).toMatchObject({ accepted: 2, rejected: [] });
    expect(JSON.stringify(taken.messages)).not.toContain("hunter2");
    expect(eventsOf(taken)[0]?.request?.headers).toEqual({ Cookie: redactedValue, accept: "*/*" });
    expect(eventsOf(taken)[1]).toEqual(neighbor);
  });

  it("is passed on without unknown fields, where headers could escape redaction", () => {
    const response = { headers: { authorization: "hunter2" } };
    const event = { ...logEvent(), response };
    const breadcrumb = { timestamp: "2026-01-01T00:00:00Z", category: "http", response };
    for (const batch of [
      batchOf([event]),
      { ...batchOf([logEvent()]), response },
      batchOf([{ ...logEvent(), breadcrumbs: [breadcrumb] }]),
    ]) {
      const taken = take(batch);
      expect(taken.accepted).toBe(1);
      expect(taken.messages).toHaveLength(1);
      expect(JSON.stringify(taken.messages)).not.toContain("hunter2");
    }
  });

  it("gets its defaults", () => {
    const { service: _service, env: _env, ...bare } = batchOf([logEvent()]);
    expect(take(bare).messages.map((message) => read(message).batch)).toMatchObject([
      { service: "default", env: "PROD" },
    ]);
  });
});

describe("a message", () => {
  it("has 500 events at most: 1,000 become two messages", () => {
    const taken = take(batchOf(events(1_000)));
    expect(taken.messages.map((one) => read(one).batch.events.length)).toEqual([500, 500]);
    expect(eventsOf(taken).map(({ seq }) => seq)).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 1));
    expect(take(batchOf(events(501))).messages.map((one) => read(one).batch.events.length)).toEqual([500, 1]);
    expect(take(batchOf(events(500))).messages).toHaveLength(1);
  });

  it("is below 1 MiB, whatever the batch, and together they contain all events in order", () => {
    const size = fc.oneof(fc.nat({ max: 2_000 }), fc.nat({ max: 400_000 }));
    fc.assert(
      fc.property(
        fc.array(size, { minLength: 1, maxLength: 25 }),
        fc.constantFrom("x", "é", "\u0001", "💥"),
        (sizes, fill) => {
          const length = { x: 1, é: 2, "\u0001": 6, "💥": 4 }[fill] ?? 1;
          const batch = batchOf(
            sizes.map((bytes, index) =>
              logEvent({ seq: index + 1, attributes: { fill: fill.repeat(bytes / length) } }),
            ),
            { dropped: [{ from_seq: 90, to_seq: 99, reason: "closed" }] },
          );
          const taken = take(batch);
          expect(taken).toMatchObject({ accepted: sizes.length, rejected: [] });
          for (const { body } of taken.messages) expect(Buffer.byteLength(body)).toBeLessThan(natsPayloadMax - 8_192);
          expect(eventsOf(taken).map(({ seq }) => seq)).toEqual(sizes.map((_, index) => index + 1));
          expect(read(taken.messages[0] ?? { id: "", body: "" }).batch.dropped).toHaveLength(1);
          expect(new Set(taken.messages.map(({ id }) => id)).size).toBe(taken.messages.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("is below 1 MiB even with the longest event, the longest header, and the most dropped ranges", () => {
    const longest = "\u0001".repeat(limits.textLengthMax);
    const base = logEvent();
    const room = limits.eventBytesMax - Buffer.byteLength(JSON.stringify({ ...base, attributes: { fill: "" } }));
    const dropped = Array.from({ length: limits.droppedRangesMax }, () => {
      const seq = Number.MAX_SAFE_INTEGER;
      return { from_seq: seq, to_seq: seq, reason: "network_error" as const };
    });
    const batch = batchOf([{ ...base, attributes: { fill: "x".repeat(room) } }, { seq: 7 }, logEvent()], {
      sdk: { name: longest, version: longest },
      release: longest,
      dropped,
      host: { name: longest, pid: 1, runtime: { name: longest, version: longest }, os: longest, arch: longest },
    });
    const taken = take(batch);
    expect(taken.accepted).toBe(2);
    expect(droppedOf(taken)).toHaveLength(limits.droppedRangesMax + 1);
    for (const { body } of taken.messages) expect(Buffer.byteLength(body)).toBeLessThan(natsPayloadMax - 8_192);
  });

  it("has the same id for the same events and dropped ranges, and another for others", () => {
    const batch = batchOf([logEvent()], { instance: "i" });
    const idOf = (changed: object, scopeId = "org_1") =>
      takeBatch({ text: JSON.stringify(changed), value: changed }, { ...frame, scopeId }).messages[0]?.id;
    const id = idOf(batch);
    expect(id).toMatch(/^[0-9a-f]{64}$/);
    expect(idOf({ ...batch, sent_at: "2030-01-01T00:00:00Z" })).toBe(id);
    const others = [
      idOf({ ...batch, events: [logEvent()] }),
      idOf({ ...batch, instance: "j" }),
      idOf({ ...batch, dropped: [{ from_seq: 9, to_seq: 9, reason: "closed" }] }),
      idOf(batch, "org_2"),
    ];
    expect(new Set([id, ...others]).size).toBe(5);
  });
});

describe("a rejected event", () => {
  const rejected = (seq: unknown) => ({ ...logEvent(), level: "fatal", seq });

  it("is reported as dropped, by its number, after the client's own ranges", () => {
    const dropped = [{ from_seq: 1, to_seq: 4, reason: "queue_full" as const }];
    const taken = take(batchOf([rejected(9), logEvent({ seq: 8 }), rejected(6), rejected(5)], { dropped }));
    expect(taken.accepted).toBe(1);
    expect(taken.rejected.map(({ index }) => index)).toEqual([0, 2, 3]);
    expect(droppedOf(taken)).toEqual([
      ...dropped,
      { from_seq: 5, to_seq: 6, reason: "rejected" },
      { from_seq: 9, to_seq: 9, reason: "rejected" },
    ]);
  });

  it("is reported even when no event was accepted", () => {
    const taken = take(batchOf([rejected(1)]));
    expect(taken.messages.map((one) => read(one).batch)).toMatchObject([
      { events: [], dropped: [{ from_seq: 1, to_seq: 1, reason: "rejected" }] },
    ]);
  });

  it.each([0, -1, 1.5, "1", null, undefined, 2 ** 53, []])("numbered %j has no number", (seq) => {
    const taken = take(batchOf([rejected(seq)]));
    expect(taken.rejected).toHaveLength(1);
    expect(taken.messages).toEqual([]);
  });

  it("among a thousand is reported, next to a thousand ranges of the client", () => {
    const dropped = Array.from({ length: limits.droppedRangesMax }, (_, index) => {
      return { from_seq: 10_000 + 2 * index, to_seq: 10_000 + 2 * index, reason: "closed" as const };
    });
    const taken = take(
      batchOf(
        Array.from({ length: 1_000 }, (_, index) => rejected(2 * index + 1)),
        { dropped },
      ),
    );
    expect(droppedOf(taken)).toHaveLength(2_000);
    expect(new Set(droppedOf(taken).map(({ from_seq }) => from_seq)).size).toBe(2_000);
  });
});
