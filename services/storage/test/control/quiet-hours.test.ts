import { type QuietHours, quietHoursSchema } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { quietUntil } from "../../src/control/notifications/quiet-hours.ts";

const quietOf = (chosen: Partial<QuietHours>): QuietHours =>
  quietHoursSchema.parse({ time_zone: "UTC", from: "22:00", to: "07:00", ...chosen });
const until = (chosen: Partial<QuietHours>, at: string): string | null =>
  quietUntil(quietOf(chosen), new Date(at))?.toISOString() ?? null;

describe("quiet hours", () => {
  it("begin at their first minute and end before their last, across midnight", () => {
    expect(until({}, "2026-03-02T21:59:59.999Z")).toBeNull();
    expect(until({}, "2026-03-02T22:00:00.000Z")).toBe("2026-03-03T07:00:00.000Z");
    expect(until({}, "2026-03-03T00:00:00.000Z")).toBe("2026-03-03T07:00:00.000Z");
    expect(until({}, "2026-03-03T06:59:59.999Z")).toBe("2026-03-03T07:00:00.000Z");
    expect(until({}, "2026-03-03T07:00:00.000Z")).toBeNull();
  });

  it("within a day end on that day", () => {
    const lunch = { from: "12:00", to: "13:00" };
    expect(until(lunch, "2026-03-02T11:59:59.999Z")).toBeNull();
    expect(until(lunch, "2026-03-02T12:30:00.000Z")).toBe("2026-03-02T13:00:00.000Z");
    expect(until(lunch, "2026-03-02T13:00:00.000Z")).toBeNull();
  });

  it("belong to the day on which they begin", () => {
    const friday = { days: ["friday" as const] };
    expect(until(friday, "2026-03-05T23:00:00.000Z")).toBeNull();
    expect(until(friday, "2026-03-06T06:00:00.000Z")).toBeNull();
    expect(until(friday, "2026-03-06T23:00:00.000Z")).toBe("2026-03-07T07:00:00.000Z");
    expect(until(friday, "2026-03-07T06:00:00.000Z")).toBe("2026-03-07T07:00:00.000Z");
    expect(until(friday, "2026-03-07T23:00:00.000Z")).toBeNull();
  });

  it("that touch count as one: a weekend ends on Monday", () => {
    const weekend = { from: "00:00", to: "00:00", days: ["saturday" as const, "sunday" as const] };
    expect(until(weekend, "2026-03-06T23:59:59.999Z")).toBeNull();
    expect(until(weekend, "2026-03-07T00:00:00.000Z")).toBe("2026-03-09T00:00:00.000Z");
    expect(until(weekend, "2026-03-08T23:59:59.999Z")).toBe("2026-03-09T00:00:00.000Z");
    expect(until(weekend, "2026-03-09T00:00:00.000Z")).toBeNull();
  });

  it("follow the clocks of their time zone, in any hemisphere and at any offset", () => {
    expect(until({ time_zone: "Asia/Kolkata" }, "2026-03-02T16:29:59.999Z")).toBeNull();
    expect(until({ time_zone: "Asia/Kolkata" }, "2026-03-02T16:30:00.000Z")).toBe("2026-03-03T01:30:00.000Z");
    expect(until({ time_zone: "America/Los_Angeles" }, "2026-01-02T06:00:00.000Z")).toBe("2026-01-02T15:00:00.000Z");
    expect(until({ time_zone: "Pacific/Auckland" }, "2026-01-02T09:00:00.000Z")).toBe("2026-01-02T18:00:00.000Z");
  });
});

describe("quiet hours in the night in which the clocks change", () => {
  const berlin = { time_zone: "Europe/Berlin" };

  it("end at the local time, an hour earlier in spring and later in autumn", () => {
    expect(until(berlin, "2026-03-28T22:00:00.000Z")).toBe("2026-03-29T05:00:00.000Z");
    expect(until(berlin, "2026-03-29T05:00:00.000Z")).toBeNull();
    expect(until(berlin, "2026-10-24T21:00:00.000Z")).toBe("2026-10-25T06:00:00.000Z");
    expect(until(berlin, "2026-10-25T05:59:59.999Z")).toBe("2026-10-25T06:00:00.000Z");
    expect(until(berlin, "2026-10-25T06:00:00.000Z")).toBeNull();
  });

  it("end later by as much as the clocks are set forward, when that skips their end", () => {
    const early = { ...berlin, to: "02:30" };
    expect(until(early, "2026-03-29T01:29:59.999Z")).toBe("2026-03-29T01:30:00.000Z");
    expect(until(early, "2026-03-29T01:30:00.000Z")).toBeNull();
  });

  it("begin and end with the first of two equal local times", () => {
    const early = { ...berlin, to: "02:30" };
    expect(until(early, "2026-10-25T00:29:59.999Z")).toBe("2026-10-25T00:30:00.000Z");
    expect(until(early, "2026-10-25T00:30:00.000Z")).toBeNull();
    const late = { ...berlin, from: "02:30", to: "04:00" };
    expect(until(late, "2026-10-25T00:29:59.999Z")).toBeNull();
    expect(until(late, "2026-10-25T00:30:00.000Z")).toBe("2026-10-25T03:00:00.000Z");
  });
});

describe("invalid quiet hours", () => {
  it.each([
    [{ time_zone: "Mars/Olympus" }],
    [{ time_zone: "+02:00" }],
    [{ time_zone: "" }],
    [{ from: "24:00" }],
    [{ from: "7:00" }],
    [{ to: "07:60" }],
    [{ days: [] }],
    [{ from: "22:00", to: "22:00" }],
  ])("are rejected: %j", (chosen) => {
    expect(quietHoursSchema.safeParse({ time_zone: "UTC", from: "22:00", to: "07:00", ...chosen }).success).toBe(false);
  });

  it("may be a whole day when another day is left", () => {
    const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;
    const at = "2026-03-02T12:00:00.000Z";
    expect(until({ from: "00:00", to: "00:00", days: [...days] }, at)).toBe("2026-03-08T00:00:00.000Z");
  });
});
