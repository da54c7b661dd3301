import type { ServiceDetail } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { countedSince, crashedByHour, crashFreeText } from "../../../src/features/services/session-counts.ts";

describe("crash-free sessions", () => {
  it.each([
    [1_000, 0, "100%"],
    [100_000, 1, "99.99%"],
    [10_000_000, 1, "99.99%"],
    [2_000, 3, "99.85%"],
    [3, 1, "66.66%"],
    [2, 2, "0%"],
    [0, 0, "100%"],
  ])("of %i sessions with %i crashes are %s", (sessions, crashed, text) => {
    expect(crashFreeText({ sessions, crashed })).toBe(text);
  });

  it("say since when they are counted, if not for the whole span", () => {
    const from = "2026-03-02T10:30:00.000Z";
    const since = (sessions_from: string | null) =>
      countedSince({ from, sessions_from }, Date.parse("2026-03-02T13:00:00.000Z"));
    expect(since(null)).toBe("");
    expect(since("2026-03-02T10:00:00.000Z")).toBe("");
    expect(since("2026-03-02T12:00:00.000Z")).toMatch(/^ since \d\d:00:00 /);
  });

  it("have a value for every hour of the span with sessions", () => {
    const detail: Pick<ServiceDetail, "from" | "to" | "session_hours"> = {
      ...{ from: "2026-03-02T10:30:00.000Z", to: "2026-03-02T13:00:00.000Z" },
      session_hours: [{ hour: "2026-03-02T11:00:00.000Z", sessions: 8, crashed: 2, unhandled: 1 }],
    };
    const { times, values } = crashedByHour(detail);
    expect(times.map((time) => new Date(time).toISOString().slice(11, 16))).toEqual(["10:00", "11:00", "12:00"]);
    expect(values).toEqual([null, 25, null]);
  });
});
