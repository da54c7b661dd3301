import { hourMs } from "@whence/protocol";
import type { GatewayPulses } from "@whence/storage";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { pulseFreshMs, pulseIntervalMs, startPulse } from "../src/pulse.ts";

const logger = { warn: () => undefined, error: () => undefined };
const start = Date.parse("2026-03-01T12:00:00.000Z");
let now: number;
let isDown: boolean;
/** Pulses as the control database stores them. */
let known: Map<string, { since: number; at: number }>;

const pulses: GatewayPulses = {
  async beat({ id, takingSince, now: at }) {
    known.set(id, { since: takingSince.getTime(), at: at.getTime() });
  },
  async takingSince(freshSince) {
    const fresh = [...known.values()].filter(({ at }) => at >= freshSince.getTime());
    return fresh.length === 0 ? null : new Date(Math.min(...fresh.map(({ since }) => since)));
  },
};
const queue = { check: () => (isDown ? Promise.reject(new Error("away")) : Promise.resolve()) };
/** Starts a gateway, and waits for its first pulse. */
async function gateway() {
  const pulse = startPulse({ pulses, queue, clock: () => now, logger });
  await vi.advanceTimersByTimeAsync(0);
  return pulse;
}
const since = async () => (await pulses.takingSince(new Date(now - pulseFreshMs)))?.getTime() ?? null;

/** Advances the clock, with a pulse every interval. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += pulseIntervalMs) {
    now += pulseIntervalMs;
    await vi.advanceTimersByTimeAsync(pulseIntervalMs);
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  [now, isDown, known] = [start, false, new Map()];
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a gateway's pulse", () => {
  it("says since when it accepts telemetry, beginning with its start", async () => {
    const pulse = await gateway();
    await pass(10 * pulseIntervalMs);
    expect(await since()).toBe(start);
    await pulse.stop();
    now += pulseFreshMs + 1;
    expect(await since()).toBeNull();
  });

  it("restarts once its queue is back, and has none meanwhile", async () => {
    const pulse = await gateway();
    await pass(pulseIntervalMs);
    isDown = true;
    await pass(2 * pulseFreshMs);
    expect(await since()).toBeNull();
    isDown = false;
    await pass(pulseIntervalMs);
    expect(await since()).toBe(now);
    await pulse.stop();
  });

  it("restarts after the machine slept", async () => {
    const pulse = await gateway();
    await pass(pulseIntervalMs);
    now += hourMs;
    await pass(pulseIntervalMs);
    expect(await since()).toBe(now);
    await pulse.stop();
  });

  it("continues the record of another running gateway", async () => {
    const first = await gateway();
    await pass(3 * pulseIntervalMs);
    const second = await gateway();
    await pass(pulseIntervalMs);
    await first.stop();
    await pass(2 * pulseFreshMs);
    expect(await since()).toBe(start);
    await second.stop();
  });
});
