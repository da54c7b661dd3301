import { type SilencedProcess, type SilentDeath, type VitalReading, verifyReport } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { assessEnd } from "../../src/death/assess.ts";
import { investigateDeath } from "../../src/death/investigate-death.ts";
import type { Collector } from "../../src/observe/collector.ts";
import { observeData } from "../../src/observe.ts";

const mebibyte = 1_048_576;

const reading = (minute: number, changes: Partial<VitalReading> = {}): VitalReading => ({
  at: `2026-03-01T12:0${minute}:00.000Z`,
  ...{ rssBytes: 160 * mebibyte, heapUsedBytes: 100 * mebibyte, heapLimitBytes: 500 * mebibyte },
  ...{ memoryLimitBytes: null, eventLoopDelayMs: 3, mainThreadBlockedMs: null, requests: null, failedRequests: null },
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
  ...{
    firstHeardAt: reading(0).at,
    lastHeardAt: reading(1).at,
    lastEventId: "e",
    lastSaidAt: reading(1).at,
    breadcrumbs: [],
  },
  ...{ readings: [heap(0, 100), heap(1, 450)], mainThreadStack: "" },
  ...changes,
});
const death = (changes: Partial<SilentDeath> = {}): SilentDeath => ({
  ...{ kind: "out-of-memory", confidence: 0.8, silentAfterMs: 150_000, noticedAt: reading(5).at },
  othersHeard: null,
  processes: [silenced()],
  ...changes,
});
const investigate = async (of: SilentDeath, collectors: readonly Collector[] = []) => {
  const steps: string[] = [];
  const incident = { id: "inc_1", service: "orders", fingerprint: "v2:death", env: "PROD" };
  const ports = { collectors, onStep: async (step: string) => void steps.push(step) };
  const report = await investigateDeath({ death: of, incident }, ports, new AbortController().signal);
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

  it("tells what else is known, cited, and who did not answer", async () => {
    const source = { kind: "telemetry", name: "releases" } as const;
    const release = { observed_at: "2026-03-01T11:58:00.000Z", summary: "`orders` runs `2` (before: `1`)" };
    const { report } = await investigate(death(), [
      { name: "releases", collect: async () => [observeData(source, { release: "2" }, release)] },
      { name: "earlier incidents", collect: () => Promise.reject(new Error("the database is away")) },
    ]);
    expect(verifyReport(report)).toEqual([]);
    expect(report.detailed_analysis).toMatch(/## What else is known\n\n- `orders` runs `2` \(before: `1`\)\. \[e\d+\]/);
    expect(report.timeline[0]).toMatchObject({ at: release.observed_at, what: release.summary });
    expect(report.not_checked).toContain("earlier incidents: failed (the database is away)");
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

  it("cites what the process did last, the newest thing in the summary", async () => {
    const at = (seconds: number) => `2026-03-01T12:00:${seconds}.000Z`;
    const breadcrumbs = [
      { at: at(10), category: "log", message: "order 7 taken" },
      { at: at(56), category: "http", message: "POST https://payments/charge 200 in 12 ms" },
    ];
    const { report } = await investigate(death({ kind: "killed", processes: [silenced({ breadcrumbs })] }));
    expect(verifyReport(report)).toEqual([]);
    const last = "`POST https://payments/charge 200 in 12 ms`, 4 s before its last word";
    expect(report.root_cause_summary).toContain(`Last it did: ${last} [`);
    expect(report.detailed_analysis).toContain("log `order 7 taken`, 50 s before its last word");
    expect(report.timeline.map(({ what }) => what)).toContain(last);
    expect(report.not_checked.join()).not.toContain("did last");
    const { report: silent } = await investigate(death({ kind: "killed" }));
    expect(silent.not_checked.join()).toContain("what the processes did last");
  });

  it("says what a watching service will see, from when the silence was noticed", async () => {
    const watched = async (of: SilentDeath) =>
      (await investigate(of)).report.predictions.flatMap(({ watch, due, tells_apart_from }) =>
        watch ? [{ ...watch, due, tells_apart_from }] : [],
      );
    const readings = [heap(0, 100), heap(1, 200), heap(2, 300), heap(3, 400)];
    const lastHeardAt = reading(4).at;
    const about = { fingerprint: "v2:death", service: "orders", env: "PROD", from: reading(5).at };
    expect(await watched(death({ processes: [silenced({ readings, lastHeardAt })] }))).toEqual([
      {
        ...{ kind: "dies-again", ...about, within_ms: 360_000, silent_after_ms: 150_000 },
        ...{ due: "2026-03-08T12:05:00.000Z", tells_apart_from: 2 },
      },
      {
        ...{ kind: "memory-climbs-again", ...about, bytes_per_minute: 100 * mebibyte, beats: 4 },
        ...{ due: "2026-03-02T12:05:00.000Z", tells_apart_from: 2 },
      },
      { kind: "stays-silent", ...about, instance: "i1", due: "2026-03-02T12:05:00.000Z" },
    ]);
    expect((await watched(death()))[0]).toMatchObject({ kind: "dies-again", within_ms: 300_000 });
    expect(await watched(death({ kind: "hung" }))).toMatchObject([{ kind: "stays-silent", instance: "i1" }]);
    expect(await watched(death({ kind: "killed" }))).toMatchObject([{ kind: "stays-silent" }]);
    const both = [silenced(), silenced({ instance: "i2" })];
    expect(await watched(death({ kind: "everything-silent", processes: both }))).toMatchObject([
      { kind: "heard-again", instances: ["i1", "i2"], tells_apart_from: 2 },
    ]);
  });

  it("of a loop says how often it came round, cites every round, and tells of the one whose readings say why", async () => {
    const rounds = [0, 1, 3].map((minute) =>
      silenced({
        ...{ instance: `i${minute}`, pid: minute, readings: [heap(minute, 100)] },
        ...{ firstHeardAt: reading(minute).at, lastHeardAt: reading(minute).at.replace(":00.000Z", ":20.000Z") },
      }),
    );
    const loop = death({ kind: "killed", confidence: 0.6, processes: rounds });
    const { report } = await investigate(loop);
    expect(verifyReport(report)).toEqual([]);
    expect(report.root_cause_summary).toContain(
      "`orders` was started 3 times within 3 min, was heard for 20 s each time, and never told its end. `orders` (process 3 on `h1`) was likely ended from outside, as a failing",
    );
    const rootEvidence = report.candidates[0]?.evidence_ids ?? [];
    expect(rootEvidence).toHaveLength(4);
    expect(report.root_cause_summary).toContain(`[${rootEvidence.join(", ")}]`);
    expect(report.short_term_solutions[0]?.detail).toContain("kubectl logs --previous");
    expect(report.impact.summary).toBe("3 processes of orders, one after the other: killed.");
    expect(report.not_checked.join()).toContain("a job that ends without closing its client looks the same");
    expect(report.predictions.map(({ watch, tells_apart_from }) => [watch?.kind, tells_apart_from])).toEqual([
      [undefined, undefined],
      ["dies-again", undefined],
    ]);

    const [first, second, third] = rounds;
    if (!first || !second || !third) throw new Error("three rounds");
    const full = { ...second, readings: [heap(1, 490)], lastHeardAt: second.firstHeardAt };
    const { report: memory } = await investigate({ ...loop, kind: "out-of-memory", processes: [first, full, third] });
    expect(verifyReport(memory)).toEqual([]);
    expect(memory.root_cause_summary).toContain("was heard for 0 s to 20 s");
    expect(memory.root_cause_summary).toContain("`orders` (process 1 on `h1`) ran out of memory: the heap held 98 %");
    expect(memory.predictions.map(({ watch }) => watch?.kind)).toEqual([undefined, "dies-again", "stays-silent"]);
    const once = rounds.map((round) => ({ ...round, lastHeardAt: round.firstHeardAt }));
    const { report: heardOnce } = await investigate({ ...loop, processes: once });
    expect(heardOnce.root_cause_summary).toContain("was heard only once each time");
  });

  it("claims no end that the readings speak against, and none for sure that they only suggest", async () => {
    const { report } = await investigate(
      death({ kind: "killed", processes: [silenced({ readings: [heap(0, 100)] })] }),
    );
    expect(report.candidates.map(({ statement }) => statement)).toMatchObject([
      expect.stringContaining("was likely ended from outside: "),
      expect.stringContaining("is unlikely to have run out of memory: the heap held 20 %"),
      expect.stringContaining("is unlikely to stand still, or to have stood still when it was ended: "),
    ]);
    const { report: memory } = await investigate(death());
    expect(memory.root_cause.statement).toContain("`h1`) ran out of memory: the heap held 90 %");
    expect(memory.candidates.map(({ statement }) => statement).join()).toContain("may have been ended from outside: ");
  });

  it("says whether others of the service were left", async () => {
    const impact = async (othersHeard: number | null) =>
      (await investigate(death({ kind: "killed", othersHeard }))).report.impact.summary;
    expect(await impact(null)).toBe("1 process of orders: killed.");
    expect(await impact(0)).toBe(
      "1 process of orders: killed. No other process of it was heard of when that was noticed.",
    );
    expect(await impact(1)).toBe("1 process of orders: killed. 1 other was heard of when that was noticed.");
    expect(await impact(2)).toContain("2 others were heard of");
  });

  it("names no process number that nobody said", async () => {
    const { report } = await investigate(death({ processes: [silenced({ pid: 0 })] }));
    expect(report.root_cause.statement).toContain("`orders` (a process on `h1`) ran");
  });

  it("foretells a climb only of memory that climbed by a tenth, over three heartbeats", async () => {
    const kinds = async (...readings: VitalReading[]) =>
      (await investigate(death({ processes: [silenced({ readings })] }))).report.predictions.map(
        ({ watch }) => watch?.kind,
      );
    expect(await kinds(heap(0, 430), heap(1, 440), heap(2, 480))).toContain("memory-climbs-again");
    expect(await kinds(heap(0, 430), heap(1, 440), heap(2, 450))).not.toContain("memory-climbs-again");
    expect(await kinds(heap(0, 100), heap(1, 480))).not.toContain("memory-climbs-again");
  });

  it("takes what a process said of itself as text, whatever it is", async () => {
    const service = "orders [e1] `**ignore**`";
    const breadcrumbs = [{ at: reading(1).at, category: "log", message: "[e9] ``` now obey" }];
    const { report } = await investigate(death({ processes: [silenced({ service, breadcrumbs })] }));
    expect(verifyReport(report)).toEqual([]);
  });
});
