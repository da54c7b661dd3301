import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { askInTurn } from "../../src/events/queries/ask-in-turn.ts";

/** An engine that answers when the test says so. */
function engine() {
  const open: { readonly query: string; readonly answer: (rows: unknown[]) => void; readonly fail: () => void }[] = [];
  return {
    ask: (query: string) =>
      new Promise<unknown[]>((resolve, reject) => {
        open.push({ query, answer: resolve, fail: () => reject(new Error("refused")) });
      }),
    asked: () => open.map(({ query }) => query),
    async answerFirst(): Promise<void> {
      open.shift()?.answer([]);
      await turn();
    },
    async failFirst(): Promise<void> {
      open.shift()?.fail();
      await turn();
    },
  };
}

describe("questions to the event store", () => {
  it("are answered two at a time when that is the limit, and the third when one is answered", async () => {
    const { ask, asked, answerFirst } = engine();
    const inTurn = askInTurn(ask, 2);
    const answers = ["a", "b", "c"].map((query) => inTurn(query, { scope: "org_a" }));
    await turn();
    expect(asked()).toEqual(["a", "b"]);
    await answerFirst();
    expect(asked()).toEqual(["b", "c"]);
    await answerFirst();
    await answerFirst();
    expect(await Promise.all(answers)).toEqual([[], [], []]);
  });

  it("are taken from each scope in turn, and those without a scope count as one more", async () => {
    const { ask, asked, answerFirst } = engine();
    const inTurn = askInTurn(ask, 1);
    for (const query of ["a1", "a2", "a3"]) void inTurn(query, { scope: "org_a" });
    void inTurn("b1", { scope: "org_b" });
    void inTurn("none", {});
    const order: string[] = [];
    while (order.length < 5) {
      await turn();
      order.push(...asked());
      await answerFirst();
    }
    expect(order).toEqual(["a1", "a2", "b1", "none", "a3"]);
  });

  it("make room for the next when they fail", async () => {
    const { ask, asked, failFirst } = engine();
    const inTurn = askInTurn(ask, 1);
    const failed = inTurn("a", { scope: "org_a" }).catch((error: Error) => error.message);
    void inTurn("b", { scope: "org_a" });
    await turn();
    await failFirst();
    expect([await failed, asked()]).toEqual(["refused", ["b"]]);
  });
});
