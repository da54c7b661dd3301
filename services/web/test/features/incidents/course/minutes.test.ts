import { minuteMs } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { everyMinute } from "../../../../src/features/incidents/course/every-minute.ts";
import { minutesInWords, rateText } from "../../../../src/features/incidents/course/minutes-in-words.ts";
import { impactBars } from "../../../../src/features/incidents/event/impact-bars.ts";
import { noon } from "../../../samples.ts";

const at = (minute: number) => new Date(Date.parse(noon) + minute * minuteMs).toISOString();

describe("the events of every minute", () => {
  it("have a zero for each minute without any", () => {
    const minutes = [
      { minute: at(1), events: 3 },
      { minute: at(3), events: 1 },
    ];
    const { times, counts } = everyMinute({ from: at(0), to: at(5), minutes });
    expect(counts).toEqual([0, 3, 0, 1, 0]);
    expect(times.map((time) => new Date(time).toISOString())).toEqual([0, 1, 2, 3, 4].map(at));
  });

  it("are empty for a span without a minute", () => {
    expect(everyMinute({ from: at(5), to: at(5), minutes: [] })).toEqual({ times: [], counts: [] });
    expect(everyMinute({ from: at(5), to: at(0), minutes: [] }).counts).toEqual([]);
  });

  it("leave out minutes outside the span", () => {
    const minutes = [
      { minute: at(-1), events: 9 },
      { minute: at(2), events: 9 },
    ];
    expect(everyMinute({ from: at(0), to: at(2), minutes }).counts).toEqual([0, 0]);
  });
});

describe("a chart of minutes in words", () => {
  const times = [0, 1, 2].map((minute) => Date.parse(at(minute)));

  it("says how many events there were, and the most in a minute", () => {
    expect(minutesInWords({ times, counts: [1, 5, 2] }, null, Date.parse(at(2)))).toBe(
      "8 events in 3 minutes, at most 5 in one",
    );
  });

  it("says when the rate changes", () => {
    expect(minutesInWords({ times, counts: [1, 5, 5] }, 1, Date.parse(at(2)))).toMatch(
      /^11 events in 3 minutes, at most 5 in one; the rate changes at \d\d:01:00 \S+$/,
    );
  });

  it("exists even without minutes", () => {
    expect(minutesInWords({ times: [], counts: [] }, null, Date.parse(at(0)))).toBe(
      "0 events in 0 minutes, at most 0 in one",
    );
  });
});

describe("a rate", () => {
  it.each([
    [0, "0"],
    [0.04, "0.0"],
    [1, "1.0"],
    [9.94, "9.9"],
    [10, "10"],
    [123.5, "124"],
  ])("of %d per minute is %s", (rate, text) => {
    expect(rateText(rate)).toBe(text);
  });
});

describe("the bars of places", () => {
  const rows = (...events: readonly number[]) => events.map((count, index) => ({ name: `h${index}`, events: count }));

  it("are as long as their share of the longest", () => {
    expect(impactBars(rows(8, 4, 1))).toEqual({
      shown: [
        { name: "h0", events: 8, percent: 100 },
        { name: "h1", events: 4, percent: 50 },
        { name: "h2", events: 1, percent: 12.5 },
      ],
      more: 0,
    });
  });

  it("are at most six, and say how many more there are", () => {
    expect(impactBars(rows(6, 5, 4, 3, 2, 1))).toMatchObject({ more: 0 });
    const bars = impactBars(rows(9, 6, 5, 4, 3, 2, 1, 1));
    expect(bars?.shown.map(({ events }) => events)).toEqual([9, 6, 5, 4, 3, 2]);
    expect(bars?.more).toBe(2);
  });

  it("don't exist when nothing happened at any place", () => {
    expect(impactBars([])).toBeNull();
    expect(impactBars(rows(0, 0))).toBeNull();
  });
});
