import type { VitalReading } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { assessExit } from "../../src/process-exit/assess.ts";
import { container, heap, reading } from "./heartbeats.ts";

const mostLikely = (...readings: VitalReading[]) => assessExit({ readings })[0];

describe("how a process ended", () => {
  it.each<[string, VitalReading[], string]>([
    ["its heap was full", [heap(0, 100), heap(1, 425)], "out-of-memory"],
    ["its heap was nearly full, and steady: as it always was", [heap(0, 420), heap(1, 424)], "killed"],
    ["its heap was filling", [heap(0, 200), heap(1, 380)], "out-of-memory"],
    ["its heap warmed up", [heap(0, 60), heap(1, 120)], "killed"],
    ["its container was full", [container(0, 300), container(1, 440)], "out-of-memory"],
    ["nothing was wrong", [heap(0, 100), heap(1, 104)], "killed"],
    ["nothing was read", [], "killed"],
    ["its main thread was blocked", [heap(0, 100), reading(1, { mainThreadBlockedMs: 15_000 })], "hung"],
    [
      "its main thread was blocked with a full heap",
      [heap(0, 490), reading(1, { mainThreadBlockedMs: 15_000 })],
      "hung",
    ],
    ["its event loop was seconds late", [heap(0, 100), reading(1, { eventLoopDelayMs: 4_000 })], "hung"],
  ])("when %s", (_what, readings, kind) => {
    expect(mostLikely(...readings)?.kind).toBe(kind);
  });

  it("may be a hang when the main thread was blocked before the last reading, which no words deny", () => {
    const exits = assessExit({ readings: [reading(0, { mainThreadBlockedMs: 40_000 }), heap(1, 100)] });
    const hung = exits.find(({ kind }) => kind === "hung");
    expect(hung?.reasons).toEqual([{ kind: "main-thread-blocked", at: reading(0).at, blockedMs: 40_000 }]);
    expect(hung?.likelihood).toBeGreaterThanOrEqual(0.2);
  });

  it("is as certain as the readings", () => {
    const sure = (...readings: VitalReading[]) => mostLikely(...readings)?.likelihood ?? 0;
    expect(sure(heap(0, 100), reading(1, { mainThreadBlockedMs: 15_000 }))).toBeGreaterThan(sure(heap(0, 450)));
    expect(sure(heap(0, 450))).toBeGreaterThan(sure(heap(0, 200), heap(1, 380)));
    expect(sure(heap(0, 200), heap(1, 380))).toBeGreaterThan(sure());
  });
});
