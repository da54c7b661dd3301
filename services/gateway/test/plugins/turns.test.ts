import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Turns, turnBytesMax } from "../../src/plugins/turns.ts";

/** Takes a turn for bodies of these sizes, all at once. The returned list grows as their turns come. */
function takeAll(turns: Turns, sizes: readonly number[]): number[] {
  const begun: number[] = [];
  for (const [index, bytes] of sizes.entries()) {
    const turn = turns.take(bytes);
    if (turn === undefined) begun.push(index);
    else void turn.then(() => begun.push(index));
  }
  return begun;
}

describe("simultaneous bodies", () => {
  it("start at once while they fit into one turn, and the rest in later turns, in order", async () => {
    const half = turnBytesMax / 2;
    const begun = takeAll(new Turns(), [half, half, 1, half, half, 1]);
    expect(begun).toEqual([0, 1]);
    await nextTurn();
    expect(begun).toEqual([0, 1, 2, 3]);
    await nextTurn();
    expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it("get a turn each when they are larger than one", async () => {
    const large = 2 * turnBytesMax;
    const begun = takeAll(new Turns(), [large, large, 1]);
    expect(begun).toEqual([0]);
    await nextTurn();
    expect(begun).toEqual([0, 1]);
    await nextTurn();
    expect(begun).toEqual([0, 1, 2]);
  });

  it("wait behind earlier ones, even if they would fit", async () => {
    const turns = new Turns();
    const begun = takeAll(turns, [1, turnBytesMax, 1]);
    expect(begun).toEqual([0]);
    await nextTurn();
    expect(begun).toEqual([0, 1]);
    expect(turns.take(1)).toBeInstanceOf(Promise);
  });

  it("start at once again when all have had their turn, including empty ones", async () => {
    const turns = new Turns();
    takeAll(turns, [0, turnBytesMax, turnBytesMax]);
    for (let turn = 0; turn < 3; turn++) await nextTurn();
    expect(turns.take(0)).toBeUndefined();
    expect(turns.take(turnBytesMax - 1)).toBeUndefined();
    expect(turns.take(1)).toBeInstanceOf(Promise);
  });
});
