import { withOdds } from "@whence/engine/ranking";
import { describe, expect, it } from "vitest";
import { type Answer, fitCalibrations } from "../bench/rca/train/fit-calibration.ts";

/** Answers at several shares, so many in ten of them right. */
function answers(sight: string, rightOfTen: (share: number) => number, count = 40): Answer[] {
  return [0.1, 0.3, 0.5, 0.7, 0.9].flatMap((share) =>
    Array.from({ length: count }, (_, index) => ({
      ...{ share, sight, isThrown: false, ownShare: 0, knownLength: 0, weight: 1 },
      isRight: index % 10 < rightOfTen(share),
    })),
  );
}

function shareAt(
  share: number,
  { probability, share: said }: ReturnType<typeof fitCalibrations>["calibration"],
): number {
  return said[probability.findIndex((one) => Math.abs(one - share) < 1e-9)] ?? Number.NaN;
}

describe("a calibration that is fitted to answers", () => {
  it("says how often they were right", () => {
    const { calibrations } = fitCalibrations(answers("python/text", (share) => 10 * share));
    const fitted = calibrations["python/text"];
    expect(fitted).toBeDefined();
    if (fitted)
      for (const share of [0.1, 0.5, 0.9]) expect(Math.abs(shareAt(share, fitted) - share)).toBeLessThan(0.05);
  });

  it("says it for each sight", () => {
    const { calibrations } = fitCalibrations([...answers("python/text", () => 8), ...answers("other/text", () => 2)]);
    const at = (sight: string): number => shareAt(0.5, calibrations[sight] ?? { probability: [], share: [] });
    expect(at("python/text")).toBeGreaterThan(0.7);
    expect(at("other/text")).toBeLessThan(0.3);
  });

  it("keeps a sight of one answer near all others", () => {
    const known = answers("python/text", () => 8);
    const { calibration, calibrations } = fitCalibrations([
      ...known,
      { share: 0.5, sight: "other/text", isThrown: false, ownShare: 0, knownLength: 0, weight: 1, isRight: false },
    ]);
    const single = calibrations["other/text"];
    expect(single).toBeDefined();
    if (single) expect(Math.abs(shareAt(0.5, single) - shareAt(0.5, calibration))).toBeLessThan(0.2);
  });

  it("says less where the error is thrown, if such answers were right less often", () => {
    const thrown = answers("python/text", () => 2).map((one) => ({ ...one, isThrown: true }));
    const fitted = fitCalibrations([...thrown, ...answers("python/text", () => 8)]);
    const said = shareAt(0.5, fitted.calibrations["python/text"] ?? { probability: [], share: [] });
    expect(said).toBeCloseTo(0.8, 1);
    expect(withOdds(said, fitted.thrown)).toBeCloseTo(0.2, 1);
  });

  it("says less where more of the stack is the project's, if such answers were right less often", () => {
    const own = answers("python/text", () => 2, 400).map((one) => ({ ...one, ownShare: 1 }));
    const fitted = fitCalibrations([...own, ...answers("python/text", () => 8, 400)]);
    const said = shareAt(0.5, fitted.calibrations["python/text"] ?? { probability: [], share: [] });
    expect(said).toBeCloseTo(0.8, 1);
    expect(withOdds(said, fitted.ownShare["python/text"] ?? 0)).toBeCloseTo(0.2, 1);
  });

  it("says more where the file is longer, if such answers were right more often", () => {
    const short = answers("python/text", () => 2, 400).map((one) => ({ ...one, knownLength: 3 }));
    const long = answers("python/text", () => 8, 400).map((one) => ({ ...one, knownLength: 9 }));
    const fitted = fitCalibrations([...short, ...long]);
    const said = shareAt(0.5, fitted.calibrations["python/text"] ?? { probability: [], share: [] });
    const at = (length: number): number => withOdds(said, length * (fitted.knownLength.text ?? 0));
    expect(at(3)).toBeCloseTo(0.2, 1);
    expect(at(9)).toBeCloseTo(0.8, 1);
  });

  it("keeps a sight of few answers near those of its view", () => {
    const views = (language: string) => [
      ...answers(`${language}/text`, () => 8),
      ...answers(`${language}/wider`, () => 3),
    ];
    const known = ["python", "jvm", "javascript"].flatMap(views);
    const { calibrations } = fitCalibrations([...known, ...answers("go/wider", () => 8, 1)]);
    const at = (sight: string): number => shareAt(0.5, calibrations[sight] ?? { probability: [], share: [] });
    expect(Math.abs(at("go/wider") - at("python/wider"))).toBeLessThan(at("python/text") - at("go/wider"));
  });

  it("says no less for a higher share, even if it was right less often", () => {
    const { calibration, calibrations } = fitCalibrations(answers("python/text", (share) => 10 * (1 - share)));
    for (const { share } of [calibration, ...Object.values(calibrations)]) {
      expect(share).toEqual(share.toSorted((one, other) => one - other));
      expect(share[1]).toBeCloseTo(0.5, 1);
    }
  });
});
