import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WhenceEvent } from "../src/event.ts";
import { EventQueue } from "../src/queue.ts";
import { sdkLimits } from "../src/sdk-limits.ts";

const event = (given: { fatal?: boolean; bytes?: number } = {}): WhenceEvent => ({
  id: "00000000-0000-7000-8000-000000000000",
  type: "exception",
  timestamp: 0,
  level: "error",
  message: "x",
  mechanism: { type: "test", handled: given.fatal !== true },
  bytes: given.bytes ?? 100,
});
const seqs = (queue: EventQueue): number[] => queue.all().map(({ seq }) => seq);

describe("the queue", () => {
  it("numbers events from 1", () => {
    const queue = new EventQueue();
    queue.add(event());
    queue.add(event());
    expect(seqs(queue)).toEqual([1, 2]);
  });

  it("holds as many events as it may and gives the oldest up for one more", () => {
    const queue = new EventQueue();
    for (let count = 0; count < sdkLimits.queueEventsMax; count++) queue.add(event());
    expect([queue.size, queue.losses()]).toEqual([sdkLimits.queueEventsMax, []]);
    queue.add(event());
    expect([queue.size, queue.losses()]).toEqual([
      sdkLimits.queueEventsMax,
      [{ from_seq: 1, to_seq: 1, reason: "queue_full" }],
    ]);
  });

  it("holds its bytes exactly and gives the oldest up for one more", () => {
    const queue = new EventQueue();
    queue.add(event({ bytes: sdkLimits.queueBytesMax - 100 }));
    queue.add(event());
    expect(queue.lost).toBe(0);
    queue.add(event({ bytes: 1 }));
    expect(seqs(queue)).toEqual([2, 3]);
  });

  it("gives up what tells of a crash last", () => {
    const queue = new EventQueue();
    queue.add(event({ fatal: true }));
    for (let count = 0; count < sdkLimits.queueEventsMax; count++) queue.add(event());
    expect(queue.losses()).toEqual([{ from_seq: 2, to_seq: 2, reason: "queue_full" }]);
    expect(seqs(queue)[0]).toBe(1);
  });

  it("counts a trail that events share once", () => {
    const queue = new EventQueue();
    const trail = { breadcrumbs: [], bytes: 5_000 };
    queue.add({ ...event(), trail });
    queue.add({ ...event(), trail });
    expect(queue.bytes).toBe(5_200);
  });

  it("puts what could not be sent back to the head", () => {
    const queue = new EventQueue();
    for (let count = 0; count < 4; count++) queue.add(event());
    queue.take(2);
    queue.add(event());
    queue.restore();
    expect(seqs(queue)).toEqual([1, 2, 3, 4, 5]);
  });

  it("joins neighbouring losses of one reason, and keeps reasons apart", () => {
    const queue = new EventQueue();
    for (let count = 0; count < 4; count++) queue.add(event());
    queue.take(2);
    queue.lose("rejected");
    queue.take(1);
    queue.lose("too_large");
    queue.take(1);
    queue.lose("too_large");
    expect(queue.losses()).toEqual([
      { from_seq: 1, to_seq: 2, reason: "rejected" },
      { from_seq: 3, to_seq: 4, reason: "too_large" },
    ]);
  });

  it("keeps the rest of a loss that grew while it was reported", () => {
    const queue = new EventQueue();
    queue.addLost("internal_error");
    const reported = queue.losses();
    queue.addLost("internal_error");
    queue.lossesReported(reported);
    expect(queue.losses()).toEqual([{ from_seq: 2, to_seq: 2, reason: "internal_error" }]);
  });

  it("accounts for every number: waiting, delivered, lost or reported lost", () => {
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({ do: fc.constant("add" as const), fatal: fc.boolean(), bytes: fc.nat(6_000_000) }),
      },
      { weight: 1, arbitrary: fc.record({ do: fc.constant("addLost" as const) }) },
      {
        weight: 3,
        arbitrary: fc.record({
          do: fc.constant("send" as const),
          count: fc.nat(5),
          meanwhile: fc.nat(3),
          outcome: fc.constantFrom("delivered", "partly", "restored", "lost"),
        }),
      },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const queue = new EventQueue();
        const delivered: number[] = [];
        const reported: { from_seq: number; to_seq: number }[] = [];
        let given = 0;
        for (const one of steps) {
          if (one.do === "add") queue.add(event(one));
          else if (one.do === "addLost") queue.addLost("internal_error");
          else {
            const taken = queue.peek(one.count).map(({ seq }) => seq);
            const losses = queue.losses();
            queue.take(taken.length);
            for (let more = 0; more < one.meanwhile; more++) queue.add(event({ bytes: 4_000_000 }));
            given += one.meanwhile;
            if (one.outcome === "restored") queue.restore();
            else if (one.outcome === "lost") queue.lose("rejected");
            else {
              queue.delivered(one.outcome === "partly" && taken.length > 0 ? [0] : []);
              delivered.push(...(one.outcome === "partly" ? taken.slice(1) : taken));
              queue.lossesReported(losses);
              reported.push(...losses);
            }
          }
          if (one.do !== "send") given += 1;
        }
        const lost = [...reported, ...queue.losses()].flatMap(({ from_seq, to_seq }) =>
          Array.from({ length: to_seq - from_seq + 1 }, (_, offset) => from_seq + offset),
        );
        const all = [...seqs(queue), ...delivered, ...lost].sort((a, b) => a - b);
        expect(all).toEqual(Array.from({ length: given }, (_, index) => index + 1));
        expect(queue.lost).toBe(lost.length);
        expect(queue.bytes).toBeLessThanOrEqual(sdkLimits.queueBytesMax);
      }),
    );
  });
});
