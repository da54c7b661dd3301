import { describe, expect, it } from "vitest";
import { leftOutByRule } from "../../../../src/features/incidents/event/left-out.ts";
import { isNoted } from "../../../../src/features/incidents/event/noted-event.ts";
import { givenFeedback } from "../../../../src/features/incidents/report/given-feedback.ts";
import { noon, sampleFailingEvent } from "../../../samples.ts";

describe("a failing event", () => {
  it("has no notes when it arrived whole", () => {
    expect(isNoted(sampleFailingEvent())).toBe(false);
  });

  it("has notes when any part of it is missing, replaced, or mapped", () => {
    const frame = { file: "a.ts", line: 1 };
    expect(isNoted(sampleFailingEvent({ claimed_at: noon }))).toBe(true);
    expect(isNoted(sampleFailingEvent({ withheld: true }))).toBe(true);
    expect(isNoted(sampleFailingEvent({ kept_back: 1 }))).toBe(true);
    expect(isNoted(sampleFailingEvent({ redactions: [{ rule: "default-name", path: "/a" }] }))).toBe(true);
    expect(isNoted(sampleFailingEvent({ mapped_frames: [{ ...frame, generated: frame }] }))).toBe(true);
  });
});

describe("redacted fields", () => {
  it("are empty for an event without redactions", () => {
    expect(leftOutByRule([])).toEqual([]);
  });

  it("are named without list indexes, with the escapes of JSON Pointer decoded", () => {
    const [found] = leftOutByRule([{ rule: "r", path: "/a~1b/0/c~01/12" }]);
    expect(found?.fields).toEqual([{ name: "a/b.c~1", times: 1 }]);
  });

  it("keep a name that only begins with a digit", () => {
    const [found] = leftOutByRule([{ rule: "r", path: "/headers/2fa-code" }]);
    expect(found?.fields).toEqual([{ name: "headers.2fa-code", times: 1 }]);
  });
});

describe("the verdict of a person", () => {
  const feedback = (id: string, kind: "member" | "key", isEarlier = false) => ({
    author: { kind, id },
    verdict: "right" as const,
    reason: null,
    actual_cause: null,
    at: noon,
    on_earlier_report: isEarlier,
    counts: true,
    earlier: [],
  });

  it("is their own, not that of another person or of a key with the same ID", () => {
    const all = [feedback("usr_1", "key"), feedback("usr_2", "member"), feedback("usr_1", "member")];
    expect(givenFeedback({ feedback: all }, "usr_1")).toBe(all[2]);
    expect(givenFeedback({ feedback: all }, "usr_3")).toBeUndefined();
  });

  it("isn't one that they gave on an earlier report", () => {
    expect(givenFeedback({ feedback: [feedback("usr_1", "member", true)] }, "usr_1")).toBeUndefined();
  });

  it("doesn't exist for an incident without a report", () => {
    expect(givenFeedback({ feedback: undefined }, "usr_1")).toBeUndefined();
  });
});
