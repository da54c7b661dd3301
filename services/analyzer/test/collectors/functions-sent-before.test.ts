import type { TelemetryEvent } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { functionsSentBefore, withFunctionsSentBefore } from "../../src/collectors/functions-sent-before.ts";
import { fingerprint, type Kept, keptTelemetry } from "./kept-telemetry.ts";

const telemetry = keptTelemetry();
const file = "/srv/orders/src/total.js";
const code = (name = "total"): string[] => Array.from({ length: 100 }, (_, index) => `  line ${index + 1} of ${name}`);

/** An event with a frame in a function of lines 11 to 90 that shows some of them. */
function showing(from: number, to: number, lines = code()): Partial<TelemetryEvent> {
  const context = { start_line: from, lines: lines.slice(from - 1, to), function: { start_line: 11, end_line: 90 } };
  const frames = [{ file, line: 50, in_app: true, context }];
  return { exceptions: [{ type: "Error", message: "boom", stack: "", frames }] };
}

/** The functions found for it when these events are the scope's last. */
async function found(event: Partial<TelemetryEvent>, kept: readonly Kept[], changes: Partial<Kept> = {}) {
  const id = "019aa5c0-3f2e-7c41-9d0a-5b6f7e8d9c01";
  const last = { fingerprint, ...changes, event: { ...event, id } };
  const events = await telemetry.scoped([...kept.map((one) => ({ fingerprint, ...one })), last]);
  const stored = await events.event(id);
  return stored ? functionsSentBefore(events, stored) : null;
}

const whole = { file, startLine: 11, lines: code().slice(10, 90) };

describe("the functions that an event names without their lines", () => {
  it("are read from the event that carries them", async () => {
    const kept = [
      { secondsBefore: 3_600, event: showing(11, 90) },
      { secondsBefore: 60, event: showing(30, 70) },
    ];
    expect(await found(showing(30, 70), kept)).toEqual([whole]);
  });

  it("are read from another failure of the same release", async () => {
    expect(
      await found(showing(30, 70), [{ secondsBefore: 60, fingerprint: "v1:other", event: showing(5, 95) }]),
    ).toEqual([whole]);
  });

  it("aren't read from another release, service, or organization, or when the release is unknown", async () => {
    const kept = { secondsBefore: 60, event: showing(11, 90) };
    expect(await found(showing(30, 70), [{ ...kept, release: "another" }])).toEqual([]);
    expect(await found(showing(30, 70), [{ ...kept, service: "another" }])).toEqual([]);
    expect(await found(showing(30, 70), [])).toEqual([]);
    expect(await found(showing(30, 70), [{ ...kept, release: "" }], { release: "" })).toEqual([]);
  });

  it("aren't read from a build with different lines there", async () => {
    const kept = [{ secondsBefore: 60, event: showing(11, 90, code("another total")) }];
    expect(await found(showing(30, 70), kept)).toEqual([]);
  });

  it("aren't read when any frame of the event carries them", async () => {
    const kept = [{ secondsBefore: 60, event: showing(11, 90) }];
    expect(await found(showing(11, 90), kept)).toEqual([]);
    const near = showing(30, 70).exceptions ?? [];
    expect(await found({ exceptions: [...near, ...(showing(11, 90).exceptions ?? [])] }, kept)).toEqual([]);
  });

  it("are searched in the last 30 days", async () => {
    const days = (count: number) => [{ secondsBefore: count * 86_400, event: showing(11, 90) }];
    expect(await found(showing(30, 70), days(29))).toEqual([whole]);
    expect(await found(showing(30, 70), days(31))).toEqual([]);
  });
});

describe("an event that names functions without their lines", () => {
  /** What the frame shows once the lines of earlier events are added. */
  async function shown(event: Partial<TelemetryEvent>, kept: readonly Kept[]) {
    const id = "019aa5c0-3f2e-7c41-9d0a-5b6f7e8d9c02";
    const all = [...kept, { event: { ...event, id } }];
    const events = await telemetry.scoped(all.map((one) => ({ fingerprint, ...one })));
    const stored = await events.event(id);
    const { exceptions } = stored ? await withFunctionsSentBefore(events, stored) : {};
    return exceptions?.[0]?.frames?.[0]?.context;
  }
  const earlier = [{ secondsBefore: 60, event: showing(11, 90) }];

  it("is completed with the lines of an earlier event", async () => {
    expect(await shown(showing(30, 70), earlier)).toMatchObject({ start_line: 11, lines: code().slice(10, 90) });
  });

  it("keeps its own lines before and after the function", async () => {
    expect(await shown(showing(5, 20), earlier)).toMatchObject({ start_line: 5, lines: code().slice(4, 90) });
    expect(await shown(showing(80, 95), earlier)).toMatchObject({ start_line: 11, lines: code().slice(10, 95) });
  });

  it("stays as it is when no earlier event carries them", async () => {
    expect(await shown(showing(30, 70), [])).toMatchObject({ start_line: 30, lines: code().slice(29, 70) });
  });
});
