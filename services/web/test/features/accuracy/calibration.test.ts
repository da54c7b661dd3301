import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { calibrationDots, sayCalibration } from "../../../src/features/accuracy/calibration-dots.ts";
import { CalibrationChart } from "../../../src/features/accuracy/components/calibration-chart.tsx";
import { FiguresTable } from "../../../src/features/accuracy/components/figures-table.tsx";
import { judgedCount, percent, sayJudged } from "../../../src/features/accuracy/judged.ts";
import { sampleFigures } from "../../samples.ts";
import { shownText } from "../../shown-text.ts";

const band = (from: number, judged: number, right: number | null) => ({
  ...sampleFigures({
    reports: judged,
    people: { confirmed: judged, partly: 0, refuted: 0 },
    confidence: right === null ? null : from + 0.025,
    right,
  }),
  from,
  to: from + 0.1,
});

describe("the judged reports", () => {
  const people = { confirmed: 5, partly: 1, refuted: 2 };

  it("are counted over all judges and verdicts", () => {
    const agents = { confirmed: 1, partly: 0, refuted: 0 };
    expect(judgedCount(sampleFigures({ people, agents }))).toBe(9);
    expect(judgedCount(sampleFigures())).toBe(0);
  });

  it("are listed with the verdicts that occurred", () => {
    expect(sayJudged(people)).toBe("5 right, 1 in part, 2 wrong");
    expect(sayJudged({ confirmed: 0, partly: 0, refuted: 3 })).toBe("3 wrong");
    expect(sayJudged({ confirmed: 0, partly: 0, refuted: 0 })).toBe("–");
  });

  it("have a whole percentage, or a dash without any", () => {
    expect([0, 0.005, 0.724, 1, null].map(percent)).toEqual(["0%", "1%", "72%", "100%", "–"]);
  });
});

describe("the dots of the calibration chart", () => {
  it("are one for each band that has judged reports", () => {
    const dots = calibrationDots([band(0.1, 0, null), band(0.5, 4, 0.5), band(0.9, 16, 0.75)]);
    expect(dots).toEqual([
      { from: 0.5, confidence: 0.525, right: 0.5, size: 0.5 },
      { from: 0.9, confidence: 0.925, right: 0.75, size: 1 },
    ]);
  });

  it("are none without judged reports", () => {
    expect(calibrationDots([])).toEqual([]);
    expect(calibrationDots([band(0.1, 0, null)])).toEqual([]);
  });

  it("are described in words", () => {
    expect(sayCalibration(calibrationDots([band(0.5, 4, 0.5)]))).toBe(
      "Share of reports that were right, by confidence: 50% right at 53% confidence",
    );
  });
});

describe("the calibration chart", () => {
  const markup = renderToStaticMarkup(
    createElement(CalibrationChart, { bands: [band(0.1, 0, null), band(0.5, 4, 0.5), band(0.95, 16, 1)] }),
  );
  const dots = [...markup.matchAll(/<circle[^>]* cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"/g)].map((match) =>
    match.slice(1).map(Number),
  );

  it("has a larger dot for more reports, within its frame", () => {
    expect(dots).toHaveLength(2);
    const [[, , small] = [], [x = 0, y = 0, large] = []] = dots;
    expect(small).toBeLessThan(Number(large));
    const [, , width = 0, height = 0] = /viewBox="([\d. ]+)"/.exec(markup)?.[1]?.split(" ").map(Number) ?? [];
    expect(x + Number(large)).toBeLessThanOrEqual(width);
    expect(y - Number(large)).toBeGreaterThanOrEqual(0);
    expect(height).toBeGreaterThan(y);
  });

  it("has a dot on the dashed line when as many were right as the confidence states", () => {
    const onLine = renderToStaticMarkup(createElement(CalibrationChart, { bands: [{ ...band(0.5, 4, 0.525) }] }));
    const [, x = 0, y = 0] = /cx="([\d.]+)" cy="([\d.]+)"/.exec(onLine)?.map(Number) ?? [];
    const line = /class="[^"]*ideal[^"]*" x1="([\d.]+)" x2="([\d.]+)" y1="([\d.]+)" y2="([\d.]+)"/.exec(onLine);
    const [, x1 = 0, x2 = 0, y1 = 0, y2 = 0] = line?.map(Number) ?? [];
    const share = (x - x1) / (x2 - x1);
    expect(y1 + share * (y2 - y1)).toBeCloseTo(y, 6);
  });
});

describe("the table of figures", () => {
  it("has a row for each group, with a dash where nothing was judged", () => {
    const rows = [
      { name: "Timeout", figures: band(0.5, 1_200, 0.5) },
      { name: "Bad config", figures: sampleFigures({ reports: 2 }) },
    ];
    const shown = shownText(createElement(FiguresTable, { label: "Figures", of: "Category", rows }));
    expect(shown).toContain("Timeout 1,200 1,200 53% 50% 1,200 right – –");
    expect(shown).toContain("Bad config 2 0 – – – – –");
  });
});
