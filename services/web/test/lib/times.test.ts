import { dayMs, hourMs, minuteMs, secondMs } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import {
  age,
  clockTime,
  fullTime,
  sentenceTime,
  shortSpan,
  withReportTimes,
  writtenTimes,
} from "../../src/lib/times.ts";

const now = Date.parse("2026-03-01T12:00:00.000Z");
const ago = (ms: number) => age(new Date(now - ms).toISOString(), now);

describe("a span of time", () => {
  it.each([
    [0, "0 ms"],
    [0.4, "0 ms"],
    [999, "999 ms"],
    [secondMs, "1 s"],
    [minuteMs - 1, "59 s"],
    [minuteMs, "1 min"],
    [hourMs - 1, "59 min"],
    [hourMs, "1 h"],
    [dayMs - 1, "23 h"],
    [dayMs, "1 d"],
    [400 * dayMs, "400 d"],
  ])("of %d ms is %s", (ms, text) => {
    expect(shortSpan(ms)).toBe(text);
  });

  it("is never negative", () => {
    expect(shortSpan(-5_000)).toBe("0 ms");
  });
});

describe("an age", () => {
  it("is `now` within the first second, and for a future time", () => {
    expect([ago(0), ago(999), ago(-hourMs)]).toEqual(["now", "now", "now"]);
  });

  it("is the largest unit that fits", () => {
    expect([ago(secondMs), ago(90 * secondMs), ago(25 * hourMs)]).toEqual(["1 s ago", "1 min ago", "1 d ago"]);
  });
});

describe("a time of day", () => {
  it("has milliseconds of three digits", () => {
    const at = new Date(2026, 2, 1, 9, 5, 7, 4);
    expect(clockTime(at.toISOString())).toBe("09:05:07.004");
  });

  it("is in the reader's own zone, with the zone's name or offset", () => {
    const at = new Date(2026, 2, 1, 9, 5, 7);
    expect(fullTime(at.toISOString())).toMatch(/^09:05:07\.000 (?:UTC|GMT|[A-Z]{2,5}).* on .*2026$/);
  });

  it("has the date in a sentence about the day before, however few seconds ago", () => {
    const before = new Date(2026, 2, 1, 23, 59, 59);
    const after = new Date(2026, 2, 2, 0, 0, 1);
    expect(sentenceTime(before.toISOString(), after.getTime())).toContain(" on ");
    expect(sentenceTime(before.toISOString(), before.getTime())).not.toContain(" on ");
  });
});

describe("a time in an answer, as a chat has it", () => {
  it("is found like one of a report", () => {
    const text = withReportTimes("1 event since 2026-03-01 12:00:00 UTC; day 2026-03-01 stays");
    expect(text.match(writtenTimes)).toEqual(["2026-03-01T12:00:00Z"]);
    expect(text).toContain("day 2026-03-01 stays");
  });
});
