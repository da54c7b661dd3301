import type { Dropped } from "@whence/protocol";
import { limits } from "@whence/protocol/limits";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Breadcrumb, BreadcrumbRing } from "../../src/core/breadcrumbs.ts";
import { causeChain } from "../../src/core/cause-chain.ts";
import type { WhenceEvent } from "../../src/core/event.ts";
import { heapBytesOfEvent, heapBytesOfUnprinted } from "../../src/delivery/heap-bytes.ts";
import { EventQueue } from "../../src/delivery/queue.ts";
import * as sdkLimits from "../../src/sdk-limits.ts";

const event = (given: { fatal?: boolean; characters?: number; bytes?: number } = {}): WhenceEvent => ({
  id: "00000000-0000-7000-8000-000000000000",
  type: "exception",
  timestamp: 0,
  level: "error",
  message: "x".repeat(given.characters ?? 1),
  mechanism: { type: "test", handled: given.fatal !== true },
  ...(given.bytes === undefined ? {} : { trail: { breadcrumbs: [breadcrumbOf(given.bytes)] } }),
});
const long = "x".repeat(sdkLimits.queueBytesMax + 1);
const breadcrumbOf = (bytes: number): Breadcrumb => ({
  timestamp: 0,
  category: "c",
  message: long.slice(0, bytes),
  settled: true,
});
/** The size of this file's events without a message. */
const bare = heapBytesOfEvent({ ...event(), message: "" });
/** From one place, so that the stacks are shared. */
const failure = (): Error => new Error("failed", { cause: new Error("cause") });
const numbersOf = ({ from_seq, to_seq }: Dropped): number[] =>
  Array.from({ length: to_seq - from_seq + 1 }, (_, offset) => from_seq + offset);
const seqs = (queue: EventQueue): number[] => queue.all().map(({ seq }) => seq);

describe("the queue", () => {
  it("has room for the largest batch in addition to what is sent in the next turn", () => {
    expect(sdkLimits.queueEventsMax).toBeGreaterThanOrEqual(limits.batchEventsMax + 2 * sdkLimits.sendFromEvents);
  });

  it("numbers events from 1", () => {
    const queue = new EventQueue();
    queue.add(event());
    queue.add(event());
    expect(seqs(queue)).toEqual([1, 2]);
  });

  it("holds its maximum of events, and evicts the oldest for one more", () => {
    const queue = new EventQueue();
    for (let count = 0; count < sdkLimits.queueEventsMax; count++) queue.add(event());
    expect([queue.size, queue.dropped()]).toEqual([sdkLimits.queueEventsMax, []]);
    queue.add(event());
    expect([queue.size, queue.dropped()]).toEqual([
      sdkLimits.queueEventsMax,
      [{ from_seq: 1, to_seq: 1, reason: "queue_full" }],
    ]);
  });

  it("evicts no event that is being prepared", () => {
    const queue = new EventQueue();
    for (let count = 0; count < sdkLimits.queueEventsMax; count++) queue.add(event());
    queue.reserve(2);
    queue.add(event());
    expect(queue.dropped()).toEqual([{ from_seq: 3, to_seq: 3, reason: "queue_full" }]);
    queue.reserve(0);
    queue.add(event());
    expect(queue.dropped()).toContainEqual({ from_seq: 1, to_seq: 1, reason: "queue_full" });
  });

  it("holds its maximum of bytes, and evicts the oldest for one more", () => {
    const queue = new EventQueue();
    queue.add(event({ characters: sdkLimits.queueBytesMax - 2 * bare - 1 }));
    queue.add(event());
    expect([queue.bytes, queue.lost]).toEqual([sdkLimits.queueBytesMax, 0]);
    queue.add(event({ characters: 2 }));
    expect(seqs(queue)).toEqual([2, 3]);
  });

  it("evicts messages first, then logged failures, then errors, each oldest first", () => {
    const queue = new EventQueue();
    const full = (): boolean => queue.size === sdkLimits.queueEventsMax;
    const log = (level: WhenceEvent["level"]): WhenceEvent => ({ ...event(), type: "log", level });
    const first = [
      event(),
      event({ fatal: true }),
      log("error"),
      { ...log("info"), type: "heartbeat" },
      log("warning"),
    ];
    for (const one of first as WhenceEvent[]) queue.add(one);
    while (!full()) queue.add(event());
    const lost = [1, 2, 3, 4].map(() => {
      queue.add(event({ fatal: true }));
      return queue
        .dropped()
        .flatMap(numbersOf)
        .sort((a, b) => a - b);
    });
    expect(lost).toEqual([[4], [4, 5], [3, 4, 5], [1, 3, 4, 5]]);
    expect(queue.lostByReason).toEqual({ queue_full: 4 });
  });

  it("evicts crashes last", () => {
    const queue = new EventQueue();
    queue.add(event({ fatal: true }));
    for (let count = 0; count < sdkLimits.queueEventsMax; count++) queue.add(event());
    expect(queue.dropped()).toEqual([{ from_seq: 2, to_seq: 2, reason: "queue_full" }]);
    expect(seqs(queue)[0]).toBe(1);
  });

  it("counts a shared trail once, while an event has it", () => {
    const queue = new EventQueue();
    const ring = new BreadcrumbRing();
    ring.add({ timestamp: 0, category: "c", message: "m".repeat(5_000), settled: true });
    queue.add({ ...event(), trail: ring.trail() });
    const withOne = queue.bytes;
    queue.add({ ...event(), trail: ring.trail() });
    expect(queue.bytes - withOne).toBe(bare + 1);
    queue.take(1, 0);
    queue.delivered();
    expect(queue.bytes).toBe(withOne);
    queue.take(1, 0);
    queue.delivered();
    expect(queue.bytes).toBe(0);
  });

  it("counts a breadcrumb shared by trails once", () => {
    const queue = new EventQueue();
    const ring = new BreadcrumbRing();
    const add = (characters: number): void => {
      ring.add({ timestamp: 0, category: "c", message: "m".repeat(characters), settled: true });
      queue.add({ ...event(), trail: ring.trail() });
    };
    add(5_000);
    const before = queue.bytes;
    add(10);
    expect(queue.bytes - before).toBeLessThan(5_000);
  });

  it("counts the stacks of causes, more once printed, while an event has them", () => {
    const queue = new EventQueue();
    const failed = (): WhenceEvent => ({ ...event(), thrown: causeChain(failure()) });
    queue.add(event());
    const withoutStacks = queue.bytes;
    queue.take(1, 0);
    queue.delivered();
    queue.add(failed());
    const unprinted = queue.bytes;
    expect(unprinted).toBeGreaterThan(withoutStacks);
    expect([queue.printNewest(), queue.printNewest()]).toEqual([true, false]);
    const printed = queue.bytes;
    expect(printed).toBeGreaterThan(unprinted);
    queue.add(failed());
    queue.take(1, 0);
    queue.delivered();
    expect(queue.bytes).toBeGreaterThan(0);
    queue.printNewest();
    expect(queue.bytes).toBe(printed);
    queue.take(1, 0);
    queue.delivered();
    expect([queue.bytes, queue.printNewest()]).toEqual([0, false]);
  });

  it("prints the newest first, and more per turn once the unprinted ones hold too much", () => {
    const queue = new EventQueue();
    const chain = (): Error =>
      Array.from({ length: limits.exceptionsMax - 2 }).reduce<Error>((cause) => new Error("e", { cause }), failure());
    const add = (): void => void queue.add({ ...event(), thrown: causeChain(chain()) });
    const printed = (): boolean[] =>
      queue.all().map(({ thrown }) => thrown?.every(({ isPrinted }) => isPrinted) === true);
    add();
    const bytesOfOne = heapBytesOfUnprinted(queue.all()[0]?.thrown ?? []);
    for (let count = 1; count < Math.floor(sdkLimits.unprintedBytesMax / bytesOfOne); count++) add();
    expect(queue.printingMs).toBe(sdkLimits.packingTurnMs);
    add();
    expect(queue.printingMs).toBe(sdkLimits.printingTurnMs);
    queue.printNewest();
    expect([printed().at(-1), printed().at(-2)]).toEqual([true, false]);
    expect(queue.printingMs).toBe(sdkLimits.packingTurnMs);
    queue.print(queue.all()[0]);
    expect(printed().filter(Boolean)).toHaveLength(2);
    expect(queue.lost).toBe(0);
  });

  it("counts stacks of causes the same, however they were printed and whatever replaced their event", () => {
    const queue = new EventQueue();
    const thrown = causeChain(failure());
    const { id } = queue.add({ ...event(), thrown });
    expect(thrown[1]?.stack.header).toBe("Error: cause");
    queue.change(id, { level: "critical", mechanism: { type: "test", handled: false } });
    const changed = queue.bytes;
    const other = new EventQueue();
    other.add({ ...event(), thrown: causeChain(failure()) });
    other.printNewest();
    expect([changed, queue.printNewest()]).toEqual([other.bytes, false]);
    queue.take(1, 0);
    queue.delivered();
    expect(queue.bytes).toBe(0);
  });

  it("counts nothing for an event that was evicted while the program's code printed its causes", () => {
    const queue = new EventQueue();
    const cause = Object.defineProperty(new Error("cause"), "stack", {
      get() {
        for (let count = 0; count < sdkLimits.queueEventsMax; count++) queue.add(event());
        return "Error: cause\n    at work (/app/a.js:1:2)";
      },
    });
    queue.add({ ...event(), thrown: causeChain(new Error("failed", { cause })) });
    while (queue.printNewest());
    expect(seqs(queue)[0]).toBe(2);
    queue.take(queue.size, 0);
    queue.delivered();
    expect(queue.bytes).toBe(0);
  });

  it("evicts nothing in flight for what printing adds", () => {
    const queue = new EventQueue();
    const cause = Object.assign(new Error("cause"), { stack: `Error: cause\n    at work (/${long}.js:1:2)` });
    for (let count = 0; count < 2; count++) queue.add({ ...event({ bytes: sdkLimits.queueBytesMax / 2 - 4_000 }) });
    queue.add({ ...event(), thrown: causeChain(new Error("failed", { cause })) });
    queue.take(3, 0);
    while (queue.printNewest());
    expect([queue.size, queue.lost]).toEqual([3, 0]);
  });

  it("never evicts what is in flight", () => {
    const queue = new EventQueue();
    queue.add(event());
    queue.add(event());
    queue.take(1, 0);
    for (let count = 0; count < sdkLimits.queueEventsMax; count++) queue.add(event());
    expect(seqs(queue).slice(0, 2)).toEqual([1, 4]);
    expect(queue.size).toBe(sdkLimits.queueEventsMax);
  });

  it("returns what couldn't be sent to the head", () => {
    const queue = new EventQueue();
    for (let count = 0; count < 4; count++) queue.add(event());
    queue.take(2, 0);
    queue.add(event());
    queue.restore();
    expect(seqs(queue)).toEqual([1, 2, 3, 4, 5]);
  });

  it("keeps a single event that is larger than its maximum", () => {
    const queue = new EventQueue();
    queue.add(event({ bytes: sdkLimits.queueBytesMax + 1 }));
    expect(seqs(queue)).toEqual([1]);
    queue.add(event());
    expect([seqs(queue), queue.dropped()]).toEqual([[2], [{ from_seq: 1, to_seq: 1, reason: "queue_full" }]]);
  });

  it("counts a rejected event once, even when the response names it several times", () => {
    const queue = new EventQueue();
    for (let count = 0; count < 2; count++) queue.add(event());
    queue.take(2, 0);
    queue.delivered([1, 1, 7, -1, 0.5]);
    expect([queue.dropped(), queue.lost]).toEqual([[{ from_seq: 2, to_seq: 2, reason: "rejected" }], 1]);
  });

  it("drops an event that the program withholds, and reports it", () => {
    const queue = new EventQueue();
    for (let count = 0; count < 3; count++) queue.add(event());
    const [, second] = queue.peek(2);
    if (second) queue.withhold(second);
    expect([seqs(queue), queue.dropped()]).toEqual([[1, 3], [{ from_seq: 2, to_seq: 2, reason: "before_send" }]]);
  });

  it("reports a dropped range again when its batch was not accepted, and not when it was", () => {
    const queue = new EventQueue();
    queue.addLost("internal_error");
    queue.add(event());
    queue.take(1, 1);
    queue.addLost("internal_error");
    queue.restore();
    expect(queue.dropped()).toMatchObject([{ from_seq: 1 }, { from_seq: 3 }]);
    queue.take(1, 1);
    queue.delivered();
    expect(queue.dropped()).toEqual([{ from_seq: 3, to_seq: 3, reason: "internal_error" }]);
  });

  it("accounts for every number: waiting, delivered, lost, or reported lost", () => {
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
          outcome: fc.constantFrom("delivered", "partly", "restored", "lost", "withheld"),
        }),
      },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const queue = new EventQueue();
        const delivered: number[] = [];
        const reported: Dropped[] = [];
        let given = 0;
        for (const one of steps) {
          if (one.do === "add") queue.add(event(one));
          else if (one.do === "addLost") queue.addLost("internal_error");
          else {
            const [first] = queue.peek(1);
            if (one.outcome === "withheld" && first) queue.withhold(first);
            const taken = queue.peek(one.count).map(({ seq }) => seq);
            const dropped = queue.dropped();
            queue.take(taken.length, dropped.length);
            for (let more = 0; more < one.meanwhile; more++) queue.add(event({ bytes: 4_000_000 }));
            given += one.meanwhile;
            if (one.outcome === "restored") queue.restore();
            else if (one.outcome === "lost") queue.lose("rejected");
            else {
              queue.delivered(one.outcome === "partly" && taken.length > 0 ? [0] : []);
              delivered.push(...(one.outcome === "partly" ? taken.slice(1) : taken));
              reported.push(...dropped);
            }
          }
          if (one.do !== "send") given += 1;
          expect(queue.size <= 1 || queue.bytes <= sdkLimits.queueBytesMax).toBe(true);
        }
        const runs = [...reported, ...queue.dropped()];
        const all = [...seqs(queue), ...delivered, ...runs.flatMap(numbersOf)].sort((a, b) => a - b);
        // Events that the program itself dropped aren't lost.
        const lost = runs.filter(({ reason }) => reason !== "before_send").flatMap(numbersOf);
        expect(all).toEqual(Array.from({ length: given }, (_, index) => index + 1));
        expect(queue.lost).toBe(lost.length);
        for (queue.restore(); queue.size > 0; queue.delivered()) queue.take(queue.size, 0);
        expect(queue.bytes).toBe(0);
      }),
    );
  });
});
