import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Turns, turnBytesMax } from "../../src/plugins/turns.ts";

/** Takes a turn for bodies of these sizes, all at once; the list grows as their turns come. */
function takeAll(turns: Turns, sizes: readonly number[]): number[] {
  const begun: number[] = [];
  for (const [index, bytes] of sizes.entries()) {
    const turn = turns.take(bytes);
    if (turn === undefined) begun.push(index);
    else void turn.then(() => begun.push(index));
  }
  return begun;
}

describe("bodies that come together", () => {
  it("begin at once while they fit one turn, and the rest in the turns that follow, in their order", async () => {
    const half = turnBytesMax / 2;
    const begun = takeAll(new Turns(), [half, half, 1, half, half, 1]);
    expect(begun).toEqual([0, 1]);
    await nextTurn();
    expect(begun).toEqual([0, 1, 2, 3]);
    await nextTurn();
    expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it("larger than a turn have one each", async () => {
    const large = 2 * turnBytesMax;
    const begun = takeAll(new Turns(), [large, large, 1]);
    expect(begun).toEqual([0]);
    await nextTurn();
    expect(begun).toEqual([0, 1]);
    await nextTurn();
    expect(begun).toEqual([0, 1, 2]);
  });

  it("wait behind those who came before, also when they would fit", async () => {
    const turns = new Turns();
    const begun = takeAll(turns, [1, turnBytesMax, 1]);
    expect(begun).toEqual([0]);
    await nextTurn();
    expect(begun).toEqual([0, 1]);
    expect(turns.take(1)).toBeInstanceOf(Promise);
  });

  it("begin at once again when all have had their turn, empty ones too", async () => {
    const turns = new Turns();
    takeAll(turns, [0, turnBytesMax, turnBytesMax]);
    for (let turn = 0; turn < 3; turn++) await nextTurn();
    expect(turns.take(0)).toBeUndefined();
    expect(turns.take(turnBytesMax - 1)).toBeUndefined();
    expect(turns.take(1)).toBeInstanceOf(Promise);
  });
});
