import { describe, expect, it } from "vitest";
import { isRunning, watchState } from "../../../../src/features/incidents/watch/place-watch-state.ts";

const now = Date.parse("2026-03-01T12:00:00.000Z");
const at = "2026-03-01T11:59:00.000Z";
const none = { armed: 0, refused: 0, ended: 0 };
const running = {
  stopped_at: null,
  expires_at: "2026-03-01T12:00:00.001Z",
  process: null,
  seen: null,
  processes: none,
};
const seen = (failures: number) => ({ failures, event_id: "1", at });

describe("the state of a watch", () => {
  it("runs until it expires or is stopped", () => {
    expect(isRunning(running, now)).toBe(true);
    expect(isRunning(running, now + 1)).toBe(false);
    expect(isRunning({ ...running, stopped_at: at }, now)).toBe(false);
  });

  it.each([
    ["armed", /^armed until /],
    ["refused", /^refused by a process$/],
    ["ended", /^ended in a process$/],
  ] as const)("is what the last process answered: %s", (state, said) => {
    const processes = { ...none, [state]: 1 };
    expect(watchState({ ...running, process: { state, reason: null, at }, processes }, now)).toMatch(said);
  });

  it("counts the processes that are armed, also when another one answered last", () => {
    const process = { state: "refused", reason: null, at } as const;
    const stateOf = (armed: number) =>
      watchState({ ...running, process, processes: { armed, refused: 1, ended: 0 } }, now);
    expect(stateOf(1)).toMatch(/^armed until /);
    expect(stateOf(2)).toMatch(/^armed in 2 processes until /);
  });

  it("says that no process has answered", () => {
    expect(watchState(running, now)).toBe("no process has answered yet");
  });

  it("counts the failures that carried what was seen, also once it is over", () => {
    expect(watchState({ ...running, seen: seen(1) }, now)).toBe("seen in 1 failure");
    expect(watchState({ ...running, seen: seen(2) }, now + 1)).toBe("over, seen in 2 failures");
    expect(watchState({ ...running, stopped_at: at }, now)).toBe("stopped, nothing seen");
  });
});
