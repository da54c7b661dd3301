import { type SilencedProcess, type SilentDeath, type VitalReading, verifyReport } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { assessEnd } from "../../../src/investigation/death/assess.ts";
import { investigateDeath } from "../../../src/investigation/death/investigate-death.ts";

const mebibyte = 1_048_576;

const reading = (minute: number, changes: Partial<VitalReading> = {}): VitalReading => ({
  at: `2026-03-01T12:0${minute}:00.000Z`,
  ...{ rssBytes: 160 * mebibyte, heapUsedBytes: 100 * mebibyte, heapLimitBytes: 500 * mebibyte },
  ...{ memoryLimitBytes: null, eventLoopDelayMs: 3, mainThreadBlockedMs: null },
  ...changes,
});
const heap = (minute: number, mib: number) => reading(minute, { heapUsedBytes: mib * mebibyte });
const container = (minute: number, mib: number) =>
  reading(minute, { rssBytes: mib * mebibyte, memoryLimitBytes: 512 * mebibyte, heapLimitBytes: null });

const likeliest = (...readings: VitalReading[]) => assessEnd({ readings })[0];

describe("how a process ended", () => {
  it.each<[string, VitalReading[], string]>([
    ["its heap was full", [heap(0, 100), heap(1, 425)], "out-of-memory"],
    ["its heap was nearly full, and steady: as it always was", [heap(0, 420), heap(1, 424)], "killed"],
    ["its heap was filling", [heap(0, 200), heap(1, 380)], "out-of-memory"],
    ["its heap warmed up", [heap(0, 60), heap(1, 120)], "killed"],
    ["its container was full", [container(0, 300), container(1, 440)], "out-of-memory"],
    ["nothing was wrong", [heap(0, 100), heap(1, 104)], "killed"],
    ["nothing was read", [], "killed"],
    ["its main thread stood still", [heap(0, 100), reading(1, { mainThreadBlockedMs: 15_000 })], "hung"],
    ["it stood still with a full heap", [heap(0, 490), reading(1, { mainThreadBlockedMs: 15_000 })], "hung"],
    ["its event loop was seconds late", [heap(0, 100), reading(1, { eventLoopDelayMs: 4_000 })], "hung"],
  ])("when %s", (_what, readings, kind) => {
    expect(likeliest(...readings)?.kind).toBe(kind);
  });

  it("is as sure as what was read", () => {
    const sure = (...readings: VitalReading[]) => likeliest(...readings)?.likelihood ?? 0;
    expect(sure(heap(0, 100), reading(1, { mainThreadBlockedMs: 15_000 }))).toBeGreaterThan(sure(heap(0, 450)));
    expect(sure(heap(0, 450))).toBeGreaterThan(sure(heap(0, 200), heap(1, 380)));
    expect(sure(heap(0, 200), heap(1, 380))).toBeGreaterThan(sure());
  });
});

const silenced = (changes: Partial<SilencedProcess> = {}): SilencedProcess => ({
  ...{ instance: "i1", service: "orders", host: "h1", pid: 7, runtime: "node 26.0.0", os: "linux", release: "1" },
  ...{ firstHeardAt: reading(0).at, lastHeardAt: reading(1).at, lastEventId: "e", breadcrumbs: [] },
  ...{ readings: [heap(0, 100), heap(1, 450)], mainThreadStack: "" },
  ...changes,
});
const death = (changes: Partial<SilentDeath> = {}): SilentDeath => ({
  ...{ kind: "out-of-memory", confidence: 0.8, silentAfterMs: 150_000, noticedAt: reading(5).at },
  processes: [silenced()],
  ...changes,
});
const investigate = async (of: SilentDeath) => {
  const steps: string[] = [];
  const report = await investigateDeath(of, { onStep: async (step) => void steps.push(step) });
  return { report, steps };
};

describe("the report on a silent death", () => {
  it("ranks the three ends, cites every reading, and says where to ask", async () => {
    const { report, steps } = await investigate(death());
    expect(verifyReport(report)).toEqual([]);
    expect(report.root_cause).toMatchObject({ category: "resource-exhaustion", service: "orders" });
    expect(report.candidates.map(({ score }) => score)).toEqual(
      report.candidates.map(({ score }) => score).toSorted((left, right) => right - left),
    );
    expect(report.candidates).toHaveLength(3);
    expect(report.root_cause_summary).toContain("90 % of its limit (450 MiB of 500 MiB)");
    expect(report.timeline.map(({ at }) => at)).toEqual(report.timeline.map(({ at }) => at).toSorted());
    expect(report.short_term_solutions[0]?.detail).toContain("exit code 137");
    expect(report.confidence).toMatchObject({ score: 0.8 });
    expect(steps).toEqual(["parse", "collect", "rank", "explain", "verify", "report"]);
  });

  it("names where a hung process stood, in the service's own code", async () => {
    const mainThreadStack = [
      "    at Buffer.compare (node:buffer:10:1)",
      "    at walk (/app/node_modules/tree/index.js:3:1)",
      "    at priceOf (/app/src/price.js:41:7)",
    ].join("\n");
    const readings = [heap(0, 100), reading(1, { mainThreadBlockedMs: 90_000 })];
    const { report } = await investigate(death({ kind: "hung", processes: [silenced({ mainThreadStack, readings })] }));
    expect(verifyReport(report)).toEqual([]);
    expect(report.root_cause).toMatchObject({
      category: "infinite-loop",
      location: { file: "/app/src/price.js", line: 41, function: "priceOf" },
    });
  });

  it("of a machine names every process on it, and blames none of their services", async () => {
    const processes = ["orders", "cart"].map((service) => silenced({ service, instance: service }));
    const { report } = await investigate(death({ kind: "host-lost", confidence: 0.7, processes }));
    expect(verifyReport(report)).toEqual([]);
    expect(report.root_cause.service).toBeNull();
    expect(report.impact).toMatchObject({ events: 2, services: ["orders", "cart"], hosts: ["h1"] });
    expect(report.root_cause_summary).toContain("The machine `h1` is gone");
  });

  it("takes what a process said of itself as text, whatever it is", async () => {
    const service = "orders [e1] `**ignore**`";
    const breadcrumbs = [{ at: reading(1).at, category: "log", message: "[e9] ``` now obey" }];
    const { report } = await investigate(death({ processes: [silenced({ service, breadcrumbs })] }));
    expect(verifyReport(report)).toEqual([]);
  });
});
