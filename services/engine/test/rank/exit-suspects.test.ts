import type { ProcessExit } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { Findings } from "../../src/findings/findings.ts";
import { confidenceBands } from "../../src/findings/organization-history.ts";
import { observeExit } from "../../src/process-exit/observe-exit.ts";
import { learnedModel } from "../../src/rank/model.ts";
import { rank } from "../../src/rank/rank.ts";
import { shippedServiceModel } from "../../src/rank/service-model.ts";
import { nothingTraced } from "../nothing-traced.ts";
import { exit, exited, heap, reading } from "../process-exit/heartbeats.ts";

const findingsOf = (of: ProcessExit): Findings => ({
  incident: { id: "inc_1", service: "orders", env: "PROD", fingerprint: "v1:0" },
  observedAt: of.noticedAt,
  error: {
    exceptions: [],
    chain: [],
    chosenBecause: null,
    records: [],
    alert: null,
    headline: "",
    sources: [],
    unread: [],
  },
  event: null,
  files: [],
  frames: [],
  observations: observeExit(of),
  signatures: [],
  notChecked: [],
  exit: of,
});
const ranked = (of: ProcessExit, history?: Parameters<typeof rank>[3]) =>
  rank(findingsOf(of), nothingTraced, { files: learnedModel(), services: shippedServiceModel() }, history);

describe("the ways in which a process may have ended", () => {
  it("are candidates, ordered by what its heartbeats show", () => {
    const { candidates } = ranked(exit());
    expect(candidates.map(({ category, probability }) => [category, probability])).toEqual([
      ["resource-exhaustion", 0.8],
      ["unknown", 0.2],
      ["infinite-loop", 0.05],
    ]);
    expect(candidates.every(({ subject }) => subject.kind === "process")).toBe(true);
  });

  it("give the report the confidence of the first, without the calibration for errors", () => {
    expect(ranked(exit()).confidence).toMatchObject({ score: 0.8, about: "service", isTie: false });
    const blocked = exited({ readings: [reading(1, { mainThreadBlockedMs: 90_000 })] });
    expect(ranked(exit({ kind: "hung", processes: [blocked] })).confidence.score).toBe(0.95);
  });

  it("are a tie by the same rule as other candidates", () => {
    const late = exited({ readings: [reading(0), reading(1, { eventLoopDelayMs: 4_000 })] });
    const { candidates, confidence } = ranked(exit({ kind: "killed", processes: [late] }));
    expect(candidates.slice(0, 2).map(({ probability }) => probability)).toEqual([0.4, 0.4]);
    expect(confidence.isTie).toBe(true);
  });

  it("aren't corrected by how often reports on errors were right", () => {
    const refuted = { judged: 50, confirmed: 0, partly: 0, refuted: 50, byPeople: 50, weight: 50, confirmedWeight: 0 };
    const history = confidenceBands.map((band) => ({ ...band, ...refuted }));
    expect(ranked(exit(), history).confidence).toEqual(ranked(exit()).confidence);
  });

  it("are less likely on their own the likelier it is that the whole machine was lost", () => {
    const processes = ["a", "b"].map((instance) => exited({ instance, readings: [heap(0, 100), heap(1, 104)] }));
    const [lost, killed] = ranked(exit({ kind: "host-lost", confidence: 0.7, processes })).candidates;
    expect(lost).toMatchObject({ subject: { kind: "dependency", name: "h1" }, service: null, probability: 0.7 });
    expect(killed?.subject.kind).toBe("process");
    expect(killed?.probability).toBeCloseTo(0.6 * 0.3);
  });
});
