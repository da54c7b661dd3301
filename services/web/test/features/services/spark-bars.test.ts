import { dayMs, hourMs } from "@whence/protocol";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { HoursSpark } from "../../../src/components/hours-spark.tsx";
import { sparkBars } from "../../../src/components/spark-bars.ts";
import { percentText, shareOf, totalOf } from "../../../src/features/services/error-rate.ts";
import { dayHours, hourText } from "../../../src/lib/day-hours.ts";

const hours = (...values: readonly number[]) => values.map((value, at) => ({ at, value }));
const heights = (...values: readonly number[]) => sparkBars(hours(...values), 26).map(({ height }) => height);

describe("the bars of hours", () => {
  it("are as high as their share of the largest", () => {
    expect(heights(10, 5, 10)).toEqual([26, 13, 26]);
  });

  it("are visible however small their share is", () => {
    expect(heights(1, 10_000)).toEqual([2, 26]);
  });

  it("are a baseline where nothing happened", () => {
    expect(sparkBars(hours(0, 3), 26)[0]).toEqual({ at: 0, height: 1, isEmpty: true });
    expect(heights(0, 0)).toEqual([1, 1]);
  });

  it("are as high for shares as for counts", () => {
    expect(heights(0.1, 0.05)).toEqual([26, 13]);
  });

  it("are empty without hours", () => {
    expect(heights()).toEqual([]);
  });
});

describe("the chart of hours", () => {
  it("has a bar for each hour, all within its height, and its meaning in words", () => {
    const markup = renderToStaticMarkup(createElement(HoursSpark, { label: "7 events", bars: hours(0, 1, 7) }));
    expect(markup).toMatch(/role="img" aria-label="7 events"/);
    const bars = [...markup.matchAll(/<rect[^>]* y="([\d.]+)" width="4" height="([\d.]+)"/g)];
    expect(bars).toHaveLength(3);
    for (const [, y, height] of bars) expect(Number(y) + Number(height)).toBe(26);
  });
});

describe("the hours of the last day", () => {
  it("are 25 whole hours, the oldest first, up to the current one", () => {
    const now = Date.parse("2026-03-01T12:34:56.000Z");
    const day = dayHours(now);
    expect(day).toHaveLength(25);
    expect(day.at(-1)).toBe(Date.parse("2026-03-01T12:00:00.000Z"));
    expect(day[0]).toBe(Date.parse("2026-03-01T12:00:00.000Z") - dayMs);
    for (const [index, at] of day.entries()) expect(at - (day[0] ?? 0)).toBe(index * hourMs);
  });

  it("are named by their start", () => {
    expect(hourText(new Date(2026, 2, 1, 9).getTime())).toBe("09:00");
  });
});

describe("the share of requests that failed", () => {
  it("is zero without requests", () => {
    expect(shareOf({ requests: 0, failed: 0 })).toBe(0);
  });

  it("is computed over all hours together, not as their average", () => {
    const total = totalOf([
      { at: 0, requests: 990, failed: 0 },
      { at: 1, requests: 10, failed: 10 },
    ]);
    expect(shareOf(total)).toBe(0.01);
  });

  it.each([
    [0, "0%"],
    [0.000_4, "<0.1%"],
    [0.000_5, "0.1%"],
    [0.025, "2.5%"],
    [0.099, "9.9%"],
    [0.126, "13%"],
    [1, "100%"],
  ])("of %d is %s", (share, text) => {
    expect(percentText(share)).toBe(text);
  });
});
