import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hourMs, minuteMs, type TelemetryEvent, type Watch } from "@whence/protocol";
import { openStorage, type Storage } from "@whence/storage";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkPrediction } from "../../src/predictions/check-prediction.ts";
import { failure, reportedAt, Telemetry } from "./telemetry.ts";

let directory: string;
let storage: Storage;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "whence-exit-predictions-"));
  storage = await openStorage({ dataDirectory: directory });
});
afterAll(async () => {
  await storage.close();
  await rm(directory, { recursive: true, force: true });
});

const stored = new Set<Telemetry>();

/** What a check finds an hour after the report. */
async function look(telemetry: Telemetry, watch: Watch, isDue = false) {
  if (!stored.has(telemetry)) await storage.events.insert(telemetry.events);
  stored.add(telemetry);
  const events = storage.events.forScope(telemetry.scopeId);
  return checkPrediction(watch, { events, from: reportedAt, to: reportedAt + hourMs, isDue });
}
const outcome = async (...given: Parameters<typeof look>) => (await look(...given)).outcome;

const gone = { instance: "gone" };
const next = { instance: "next" };
const blocked = { type: "heartbeat", level: "error" } satisfies Partial<TelemetryEvent>;

describe("that a process stays down", () => {
  const watch: Watch = { ...failure, kind: "stays-down", instance: "gone" };

  it("is upheld once it is due when others sent heartbeats and it did not", async () => {
    const alone = new Telemetry().beats(-60, 0, gone).beats(10, 20, next);
    expect(await outcome(alone, watch)).toBe("open");
    expect(await outcome(alone, watch, true)).toBe("upheld");
  });

  it("is refuted by one heartbeat of its main thread, at once, and not by its watchdog thread", async () => {
    const back = new Telemetry().beats(-60, 0, gone).beats(30, 31, gone);
    expect(await look(back, watch)).toMatchObject({ outcome: "refuted", excerpt: expect.stringContaining("gone") });
    const hung = new Telemetry().beats(-60, 0, gone).says(1, gone, blocked).says(2, gone, blocked);
    expect(await outcome(hung, watch)).toBe("open");
    expect(await outcome(hung, watch, true)).toBe("upheld");
  });

  it("stays open when no process at all sent telemetry since, whatever was sent before", async () => {
    expect(await look(new Telemetry().beats(-60, 0, gone), watch, true)).toMatchObject({
      outcome: "open",
      reason: expect.stringContaining("no process at all"),
    });
  });
});

describe("that processes send heartbeats again", () => {
  const watch: Watch = { ...failure, kind: "heard-again", instances: ["gone", "other"] };

  it("is upheld by one heartbeat of one of them", async () => {
    expect(await outcome(new Telemetry().beats(20, 21, { instance: "other" }), watch)).toBe("upheld");
  });

  it("is refuted once it is due when other processes take their place, and waits while none does", async () => {
    const replaced = new Telemetry().beats(20, 40, next);
    expect(await outcome(replaced, watch)).toBe("open");
    expect(await outcome(replaced, watch, true)).toBe("refuted");
    expect(await outcome(new Telemetry().beats(-60, 0, gone), watch, true)).toBe("open");
  });
});

describe("that a process exits again", () => {
  const times = { within_ms: 20 * minuteMs, exit_after_ms: 2.5 * minuteMs };
  const watch: Watch = { ...failure, kind: "exits-again", ...times };

  it("is upheld by one that started since and stopped before that age", async () => {
    expect(await outcome(new Telemetry().beats(5, 26, next), watch)).toBe("upheld");
  });

  it("is refuted by one that lives longer", async () => {
    expect(await outcome(new Telemetry().beats(5, 27, next), watch)).toBe("refuted");
  });

  it("waits for a start, for enough time without a heartbeat, and while one is young", async () => {
    expect(await look(new Telemetry().beats(-60, 30, gone), watch)).toMatchObject({
      outcome: "open",
      reason: expect.stringContaining("no process has started since"),
    });
    expect(await outcome(new Telemetry().beats(50, 60, next), watch)).toBe("open");
    expect(await outcome(new Telemetry().beats(40, 59, next), watch, true)).toBe("open");
    expect(await outcome(new Telemetry().beats(40, 58, next), watch)).toBe("upheld");
  });

  it("isn't upheld by one that shut down, nor by one that reported what ended it", async () => {
    expect(await outcome(new Telemetry().beats(5, 20, next).says(20, next, { type: "exit" }), watch)).toBe("open");
    const crash = { type: "exception", level: "critical", mechanism: { type: "uncaughtException", handled: false } };
    const crashed = new Telemetry().beats(5, 20, next).says(20, next, crash as Partial<TelemetryEvent>);
    expect(await outcome(crashed, watch)).toBe("open");
  });
});

describe("that memory climbs again", () => {
  const perMinute = 10_000_000;
  const watchOver = (beats: number): Watch => ({
    ...{ ...failure, kind: "memory-climbs-again", bytes_per_minute: perMinute, beats },
  });
  const climbing = (to: number, rate: number) =>
    new Telemetry().beats(0, to, next, (minute) => 100_000_000 + minute * rate);

  it("is upheld by a climb half as steep, over as many heartbeats as before, 4 at least and 15 at most", async () => {
    expect(await outcome(climbing(6, perMinute / 2), watchOver(6))).toBe("upheld");
    expect(await outcome(climbing(5, perMinute / 2), watchOver(6))).toBe("open");
    expect(await outcome(climbing(3, perMinute), watchOver(2))).toBe("open");
    expect(await outcome(climbing(4, perMinute), watchOver(2))).toBe("upheld");
    expect(await outcome(climbing(15, perMinute), watchOver(20))).toBe("upheld");
  });

  it("is refuted when memory climbs less than that, once it is due", async () => {
    const slow = climbing(30, perMinute * 0.49);
    expect(await outcome(slow, watchOver(6))).toBe("open");
    expect(await outcome(slow, watchOver(6), true)).toBe("refuted");
    expect(await outcome(climbing(2, perMinute), watchOver(6), true)).toBe("open");
  });
});
