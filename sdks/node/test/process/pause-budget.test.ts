import { beforeEach, describe, expect, it } from "vitest";
import { PauseBudget } from "../../src/process/pause-budget.ts";

let now: number;
let budget: PauseBudget;
beforeEach(() => {
  now = 0;
  budget = new PauseBudget(() => now);
});

function pause(times: number, calls = 1, ms = 0, isOwn = true): void {
  for (let count = 0; count < times; count++) {
    const startedAt = now;
    now += ms;
    budget.spend({ startedAt, calls, isOwn });
  }
}

/** Expects all errors to stop the program again after this time, and not a millisecond before. */
function expectBackAfter(ms: number): void {
  now += ms - 1;
  budget.tick();
  expect(budget.state).not.toBe("all");
  now += 1;
  budget.tick();
  expect(budget.state).toBe("all");
}

describe("the pause budget", () => {
  it("allows ten pauses per second", () => {
    pause(9);
    expect(budget.state).toBe("all");
    now += 1_001;
    pause(9);
    expect(budget.state).toBe("all");
    pause(1);
    expect(budget.state).toBe("uncaught");
  });

  it("allows ten more pauses at uncaught errors, and then none", () => {
    pause(19);
    expect(budget.state).toBe("uncaught");
    pause(1);
    expect(budget.state).toBe("none");
    pause(100);
    expect(budget.state).toBe("none");
  });

  it("allows 1,000 calls on the stacks", () => {
    pause(1, 999);
    expect(budget.state).toBe("all");
    pause(1, 1);
    expect(budget.state).toBe("uncaught");
  });

  it("doesn't count pauses without a call of the program, but counts their calls", () => {
    pause(99, 10, 0, false);
    expect(budget.state).toBe("all");
    pause(1, 10, 0, false);
    expect(budget.state).toBe("uncaught");
  });

  it("allows 100 ms", () => {
    pause(1, 1, 99);
    expect(budget.state).toBe("all");
    pause(1, 1, 1);
    expect(budget.state).toBe("uncaught");
  });

  it("resets after 5 s, and after twice the time whenever it is used up again soon, up to 60 s", () => {
    for (const seconds of [5, 10, 20, 40, 60, 60]) {
      pause(10);
      expectBackAfter(seconds * 1_000);
    }
  });

  it("resets after 5 s again when it has lasted", () => {
    pause(10);
    expectBackAfter(5_000);
    now += 5_001;
    pause(10);
    expectBackAfter(5_000);
  });
});
