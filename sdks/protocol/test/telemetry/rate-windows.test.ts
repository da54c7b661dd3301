import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RateWindows } from "../../src/telemetry/rate-windows.ts";

const minute = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

type Way = "incr" | "read";

function ask(windows: RateWindows, way: Way, key = "key"): { current: number; ttl: number } {
  const answers: { current: number; ttl: number }[] = [];
  windows[way](key, (_, counted) => answers.push(counted), minute);
  const [answer] = answers;
  if (!answer) throw new Error("it didn't answer at once");
  return answer;
}

describe("the requests of a key", () => {
  it("are counted until the window ends, which begins with the first", () => {
    const windows = new RateWindows();
    expect(ask(windows, "incr")).toEqual({ current: 1, ttl: minute });
    vi.setSystemTime(minute - 1);
    expect(ask(windows, "incr")).toEqual({ current: 2, ttl: 1 });
    vi.setSystemTime(minute);
    expect(ask(windows, "read")).toEqual({ current: 0, ttl: 0 });
    expect(ask(windows, "incr")).toEqual({ current: 1, ttl: minute });
  });

  it("aren't counted by reading", () => {
    const windows = new RateWindows();
    ask(windows, "incr");
    expect([ask(windows, "read"), ask(windows, "read")].map(({ current }) => current)).toEqual([1, 1]);
  });

  it("keep the count that they were answered with", () => {
    const windows = new RateWindows();
    const [first, second] = [ask(windows, "incr"), ask(windows, "incr")];
    expect([first.current, second.current]).toEqual([1, 2]);
  });

  it("are counted apart from those of another key and of another limit", () => {
    const windows = new RateWindows();
    ask(windows, "incr");
    expect(ask(windows, "incr", "other").current).toBe(1);
    expect(ask(windows.child(), "incr").current).toBe(1);
  });

  it("are remembered for the 5,000 keys counted last", () => {
    const windows = new RateWindows();
    for (let index = 0; index < 5_000; index++) ask(windows, "incr", `key ${index}`);
    ask(windows, "incr", "key 0");
    ask(windows, "incr", "one more");
    expect(ask(windows, "read", "key 0").current).toBe(2);
    expect(ask(windows, "read", "key 1").current).toBe(0);
    expect(ask(windows, "read", "key 2").current).toBe(1);
  });
});
