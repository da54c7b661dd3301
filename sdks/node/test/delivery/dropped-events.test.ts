import { type Dropped, type DropReason, dropReasons } from "@whence/protocol";
import { limits } from "@whence/protocol/limits";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DroppedEvents } from "../../src/delivery/dropped-events.ts";

const numbersOf = (runs: readonly Dropped[]): number[] =>
  runs.flatMap(({ from_seq, to_seq }) =>
    Array.from({ length: to_seq - from_seq + 1 }, (_, offset) => from_seq + offset),
  );

describe("dropped events", () => {
  it("joins neighbors of one reason, in whatever order they come, and keeps reasons apart", () => {
    const dropped = new DroppedEvents();
    for (const seq of [1, 3, 2]) dropped.note(seq, "queue_full");
    dropped.note(4, "rejected");
    expect(dropped.first(9)).toEqual([
      { from_seq: 1, to_seq: 3, reason: "queue_full" },
      { from_seq: 4, to_seq: 4, reason: "rejected" },
    ]);
  });

  it("stay within the limit when reasons alternate, without losing a number", () => {
    const dropped = new DroppedEvents();
    const count = 3 * limits.droppedRangesMax;
    for (let seq = 1; seq <= count; seq++) dropped.note(seq, seq % 2 === 0 ? "queue_full" : "internal_error");
    expect(dropped.count).toBeLessThanOrEqual(limits.droppedRangesMax);
    expect(numbersOf(dropped.first(count))).toHaveLength(count);
  });

  it("contain each number once, in order, whatever is noted, taken, and returned", () => {
    const note = fc.record({
      seq: fc.integer({ min: 1, max: 60 }),
      reason: fc.constantFrom<DropReason>(...dropReasons),
    });
    fc.assert(
      fc.property(fc.array(note, { maxLength: 60 }), fc.nat(5), (notes, taken) => {
        const dropped = new DroppedEvents();
        const noted = new Map(notes.map(({ seq, reason }) => [seq, reason]));
        const half = Math.floor(noted.size / 2);
        const entries = [...noted];
        for (const [seq, reason] of entries.slice(0, half)) dropped.note(seq, reason);
        const underWay = dropped.take(taken);
        for (const [seq, reason] of entries.slice(half)) dropped.note(seq, reason);
        for (const run of underWay) dropped.add(run);
        const runs = dropped.first(1_000);
        expect(numbersOf(runs)).toEqual([...noted.keys()].sort((a, b) => a - b));
        for (const { from_seq, to_seq, reason } of runs) {
          for (let seq = from_seq; seq <= to_seq; seq++) expect(noted.get(seq)).toBe(reason);
        }
      }),
    );
  });
});
