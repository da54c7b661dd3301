import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FairOrder } from "../../src/threads/fair-order.ts";

const waiting = (counts: Record<string, number>) =>
  Object.entries(counts).flatMap(([scopeId, count]) =>
    Array.from({ length: count }, (_, index) => ({ scopeId, id: `${scopeId}${index}` })),
  );
const ids = (taken: readonly { id: string }[]) => taken.map(({ id }) => id);

describe("the order among scopes", () => {
  it("takes each scope's items in their own order, one scope after the other", () => {
    expect(ids(new FairOrder().take(waiting({ a: 5, b: 1, c: 2 }), 6))).toEqual(["a0", "b0", "c0", "a1", "c1", "a2"]);
  });

  it("serves a scope that arrives late at once, even when another has been served for long", () => {
    const order = new FairOrder();
    for (let round = 0; round < 100; round++) order.take(waiting({ storm: 8 }), 1);
    expect(ids(order.take(waiting({ storm: 8, quiet: 1 }), 2)).toSorted()).toEqual(["quiet0", "storm0"]);
  });

  it("keeps organizations from saving up turns", () => {
    const order = new FairOrder();
    for (let round = 0; round < 100; round++) order.take(waiting({ storm: 8 }), 1);
    expect(ids(order.take(waiting({ storm: 8, other: 8 }), 4)).toSorted()).toEqual([
      "other0",
      "other1",
      "storm0",
      "storm1",
    ]);
  });

  it("takes nothing when there is no room, and no more than there is", () => {
    expect(new FairOrder().take(waiting({ a: 1 }), 0)).toEqual([]);
    expect(new FairOrder().take(waiting({ a: 1 }), -3)).toEqual([]);
    expect(ids(new FairOrder().take(waiting({ a: 1 }), 9))).toEqual(["a0"]);
  });

  it("takes no more of a scope than it has room for, and others in its place", () => {
    const roomOf = (scope: string): number => (scope === "a" ? 1 : 9);
    expect(ids(new FairOrder().take(waiting({ a: 5, b: 3 }), 4, roomOf))).toEqual(["a0", "b0", "b1", "b2"]);
    expect(ids(new FairOrder().take(waiting({ a: 5, b: 1 }), 4, () => -1))).toEqual([]);
  });

  it("never serves a scope more than twice as often as another that waited as long", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 30 }), (rooms) => {
        const order = new FairOrder();
        const served: Record<string, number> = { a: 0, b: 0, c: 0 };
        for (const room of rooms) {
          for (const { scopeId } of order.take(waiting({ a: 9, b: 9, c: 9 }), room))
            served[scopeId] = (served[scopeId] ?? 0) + 1;
        }
        const counts = Object.values(served);
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
