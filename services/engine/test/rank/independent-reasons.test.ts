import { describe, expect, it } from "vitest";
import type { Observation } from "../../src/findings/observation.ts";
import { combinedWeight, strongestOfEachKind, weightOf } from "../../src/rank/independent-reasons.ts";
import { change } from "../outside/findings.ts";
import { deploy, seen } from "../report/written-reports.ts";

const release = seen({ kind: "deploy", deploy });
const earlier = (message: string) =>
  seen({ kind: "earlier-failure", message, at: "2026-03-01T09:00:00.000Z", sameFailure: false });
const reason = (weight: number, observation: Observation) => ({ weight, observation });

describe("reasons together", () => {
  it("weigh as much as independent ones: two of 0.6 are 0.84", () => {
    expect(combinedWeight([{ weight: 0.6 }, { weight: 0.6 }])).toBeCloseTo(0.84);
  });

  it("never weigh more than 0.95, and nothing without any", () => {
    expect(combinedWeight([{ weight: 0.9 }, { weight: 0.9 }])).toBe(0.95);
    expect(combinedWeight([])).toBe(0);
  });

  it("of one kind count once, with the strongest weight", () => {
    const reasons = [reason(0.3, earlier("a")), reason(0.5, earlier("b")), reason(0.4, release)];
    expect(strongestOfEachKind(reasons).map(({ weight }) => weight)).toEqual([0.5, 0.4]);
    expect(weightOf(reasons)).toBeCloseTo(0.7);
  });

  it("count a deployment that a third party reports and the release that telemetry saw as one", () => {
    const reported = seen({ kind: "outside", outside: change("Vercel", "deployment") });
    const changed = seen({ kind: "outside", outside: change("Cloudflare", "configuration") });
    expect(weightOf([reason(0.5, release), reason(0.4, reported)])).toBeCloseTo(0.5);
    expect(weightOf([reason(0.5, release), reason(0.4, changed)])).toBeCloseTo(0.7);
  });
});
