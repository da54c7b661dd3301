import type { ProcessExit, VitalReading } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { observeData } from "../../src/findings/observe-input.ts";
import type { Collector } from "../../src/observe/collector.ts";
import type { DeployFact } from "../../src/signals/facts/deploy-fact.ts";
import { investigated } from "../investigated.ts";
import { exit, exited, heap, mebibyte, reading } from "../process-exit/heartbeats.ts";

const investigate = (of: ProcessExit, collectors: readonly Collector[] = []) =>
  investigated(
    {
      incident: { id: "inc_1", service: "orders", fingerprint: "v2:exit", env: "PROD" },
      input: { kind: "process-exit", exit: of },
    },
    collectors,
  );

describe("the report on a process exit", () => {
  it("ranks the three ways it may have ended, cites every reading, and says where to ask", async () => {
    const { report, steps } = await investigate(exit());
    const scores = report.candidates.map(({ score }) => score);
    expect(report.root_cause).toMatchObject({ category: "resource-exhaustion", service: "orders" });
    expect(scores).toEqual(scores.toSorted((left, right) => right - left));
    expect(report.candidates).toHaveLength(3);
    expect(report.chain.map(({ service }) => service)).toEqual(["orders", "orders"]);
    expect(report.detailed_analysis).toContain("90% of its limit (450 MiB of 500 MiB)");
    expect(report.timeline.map(({ at }) => at)).toEqual(report.timeline.map(({ at }) => at).toSorted());
    expect(report.confidence).toMatchObject({ score: 0.8 });
    expect(steps).toEqual(["parse", "locate", "collect", "signatures", "rank", "explain", "verify", "report"]);
  });

  it("shows what else is known, cited, and which collectors didn't answer", async () => {
    const deploy: DeployFact = {
      ...{ service: "orders", release: "2", previous: "1", at: "2026-03-01T11:58:00.000Z", verdict: "near" },
      ...{ reason: { kind: "before-exit" }, firstSeen: null, counts: null, own: true, answeredLast: false },
    };
    const shown = { observed_at: deploy.at, fact: { kind: "deploy", deploy } } as const;
    const { report } = await investigate(exit(), [
      { name: "releases", collect: async () => [observeData({ kind: "telemetry", name: "releases" }, deploy, shown)] },
      { name: "earlier incidents", collect: () => Promise.reject(new Error("the database is away")) },
    ]);
    expect(report.detailed_analysis).toMatch(
      /`orders` 2 \(first seen at 2026-03-01T11:58:00\.000Z, after `1`\).* \[e\d+\]/,
    );
    expect(report.timeline[0]).toMatchObject({ at: deploy.at });
    expect(report.not_checked).toContain("Earlier incidents: failed with `the database is away`.");
  });

  it.each(["out-of-memory", "killed", "hung", "everything-lost"] as const)(
    "names no host when the client named none: %s",
    async (kind) => {
      const { report } = await investigate(exit({ kind, processes: [exited({ host: "" })] }));
      const told = JSON.stringify(report);
      expect(told).toContain("`orders` (process 7)");
      expect(told).not.toContain("(empty)");
    },
  );

  it.each(["python 3.12.1", "java 21", "go 1.22"])("advises no setting of Node.js for %s", async (runtime) => {
    const blocked = [heap(0, 100), reading(1, { mainThreadBlockedMs: 90_000 })];
    for (const readings of [[heap(0, 100), heap(1, 450)], blocked, [heap(0, 100), heap(1, 104)]]) {
      const { report } = await investigate(exit({ processes: [exited({ runtime, readings })] }));
      const advice = JSON.stringify([report.short_term_solutions, report.long_term_solutions]);
      expect(report.short_term_solutions.length).toBeGreaterThan(0);
      expect(advice).not.toMatch(/NODE_|node inspect|--heapsnapshot|await /);
    }
  });

  it("never denies a hang while its evidence has a blocked main thread", async () => {
    const readings = [heap(0, 100), reading(1, { mainThreadBlockedMs: 40_000 }), heap(2, 430)];
    const { report } = await investigate(exit({ processes: [exited({ readings })] }));
    expect(JSON.stringify(report.evidence)).toContain("main thread blocked for 40 s");
    expect(JSON.stringify(report)).not.toMatch(/doesn't hang|no blocked main thread/);
  });

  it("names where a hung process was blocked, in the service's own code", async () => {
    const mainThreadStack = [
      "    at Buffer.compare (node:buffer:10:1)",
      "    at walk (/app/node_modules/tree/index.js:3:1)",
      "    at priceOf (/app/src/price.js:41:7)",
    ].join("\n");
    const readings = [heap(0, 100), reading(1, { mainThreadBlockedMs: 90_000 })];
    const { report } = await investigate(exit({ kind: "hung", processes: [exited({ mainThreadStack, readings })] }));
    expect(report.root_cause).toMatchObject({
      category: "infinite-loop",
      location: { file: "/app/src/price.js", line: 41, function: "priceOf" },
    });
  });

  it("for a lost host names every process on it, and none of their services as the cause", async () => {
    const processes = ["orders", "cart"].map((service) => exited({ service, instance: service }));
    const { report } = await investigate(exit({ kind: "host-lost", confidence: 0.7, processes }));
    expect(report.root_cause.service).toBeNull();
    expect(report.impact).toMatchObject({ events: 2, services: ["orders", "cart"], hosts: ["h1"] });
    expect(report.root_cause_summary).toContain("`h1`");
  });

  it("shows the last activity, and how long before the last heartbeat it was", async () => {
    const at = (seconds: number) => `2026-03-01T12:00:${seconds}.000Z`;
    const breadcrumbs = [
      { at: at(10), category: "log", message: "order 7 taken" },
      { at: at(56), category: "http", message: "POST https://payments/charge 200 in 12 ms" },
    ];
    const { report } = await investigate(exit({ kind: "killed", processes: [exited({ breadcrumbs })] }));
    const last = "last activity: `POST https://payments/charge 200 in 12 ms`, 4 s before its last heartbeat";
    expect(report.detailed_analysis).toContain("log `order 7 taken`, 50 s before its last heartbeat");
    expect(report.timeline.map(({ what }) => what)).toContain(last);
    expect(report.not_checked.join()).not.toContain("Last activity");
    const { report: killed } = await investigate(exit({ kind: "killed" }));
    expect(killed.not_checked.join()).toContain("Last activity");
  });

  it("predicts what telemetry will show, from when the exit was noticed", async () => {
    const watched = async (of: ProcessExit) =>
      (await investigate(of)).report.predictions.flatMap(({ watch, due, tells_apart_from }) =>
        watch ? [{ ...watch, due, tells_apart_from }] : [],
      );
    const readings = [heap(0, 100), heap(1, 200), heap(2, 300), heap(3, 400)];
    const lastSeenAt = reading(4).at;
    const about = { fingerprint: "v2:exit", service: "orders", env: "PROD", from: reading(5).at };
    expect(await watched(exit({ processes: [exited({ readings, lastSeenAt })] }))).toEqual([
      {
        ...{ kind: "exits-again", ...about, within_ms: 360_000, exit_after_ms: 150_000 },
        ...{ due: "2026-03-08T12:05:00.000Z", tells_apart_from: 2 },
      },
      {
        ...{ kind: "memory-climbs-again", ...about, bytes_per_minute: 100 * mebibyte, beats: 4 },
        ...{ due: "2026-03-02T12:05:00.000Z", tells_apart_from: 2 },
      },
      { kind: "stays-down", ...about, instance: "i1", due: "2026-03-02T12:05:00.000Z" },
    ]);
    expect((await watched(exit()))[0]).toMatchObject({ kind: "exits-again", within_ms: 300_000 });
    expect(await watched(exit({ kind: "hung" }))).toMatchObject([{ kind: "stays-down", instance: "i1" }]);
    expect(await watched(exit({ kind: "killed" }))).toMatchObject([{ kind: "stays-down" }]);
    const both = [exited(), exited({ instance: "i2" })];
    expect(await watched(exit({ kind: "everything-lost", processes: both }))).toMatchObject([
      { kind: "heard-again", instances: ["i1", "i2"], tells_apart_from: 2 },
    ]);
  });

  it("for a crash loop cites every round, and judges by the round whose readings explain its end", async () => {
    const rounds = [0, 1, 3].map((minute) =>
      exited({
        ...{ instance: `i${minute}`, pid: minute, readings: [heap(minute, 100)] },
        ...{ firstSeenAt: reading(minute).at, lastSeenAt: reading(minute).at.replace(":00.000Z", ":20.000Z") },
      }),
    );
    const loop = exit({ kind: "killed", confidence: 0.6, processes: rounds });
    const { report } = await investigate(loop);
    expect(report.root_cause_summary).toContain("`orders` was likely killed, 3 times in a row");
    expect(report.chain.at(-1)?.evidence_ids).toHaveLength(3);
    expect(report.short_term_solutions[0]?.detail).toContain("kubectl logs --previous");
    expect(report.impact.summary).toBe("3 processes of `orders` stopped without shutting down.");
    expect(report.not_checked.join()).toContain("a job that exits without closing its client looks the same");
    expect(report.predictions.map(({ watch, tells_apart_from }) => [watch?.kind, tells_apart_from])).toEqual([
      [undefined, undefined],
      ["exits-again", undefined],
    ]);

    const [first, second, third] = rounds;
    if (!first || !second || !third) throw new Error("three rounds");
    const full = { ...second, readings: [heap(1, 490)], lastSeenAt: second.firstSeenAt };
    const { report: memory } = await investigate({ ...loop, kind: "out-of-memory", processes: [first, full, third] });
    expect(memory.root_cause_summary).toContain("`orders` likely ran out of memory, 3 times in a row");
    expect(memory.predictions.map(({ watch }) => watch?.kind)).toEqual([undefined, "exits-again", "stays-down"]);
  });

  it("claims no cause that the readings speak against, and none as certain that they only suggest", async () => {
    const { report } = await investigate(exit({ kind: "killed", processes: [exited({ readings: [heap(0, 100)] })] }));
    expect(report.candidates.map(({ statement }) => statement.split(":")[0])).toEqual([
      "`orders` on `h1` was likely killed",
      "`orders` on `h1` probably didn't run out of memory",
      "`orders` on `h1` probably doesn't hang",
    ]);
  });

  it("says whether other processes of the service are still running", async () => {
    const impact = async (othersReporting: number | null) =>
      (await investigate(exit({ kind: "killed", othersReporting }))).report.impact.summary;
    expect(await impact(null)).toBe("1 process of `orders` stopped without shutting down.");
    expect(await impact(0)).toContain("No other process was reporting when this was noticed.");
    expect(await impact(1)).toContain("1 other process was still reporting");
    expect(await impact(2)).toContain("2 other processes were still reporting");
  });

  it("names no unknown process number", async () => {
    const { report } = await investigate(exit({ processes: [exited({ pid: 0 })] }));
    expect(JSON.stringify(report.chain)).not.toContain("process 0");
  });

  it("predicts a climb only for memory that climbed by a tenth, over three heartbeats", async () => {
    const kinds = async (...readings: VitalReading[]) =>
      (await investigate(exit({ processes: [exited({ readings })] }))).report.predictions.map(
        ({ watch }) => watch?.kind,
      );
    expect(await kinds(heap(0, 430), heap(1, 440), heap(2, 480))).toContain("memory-climbs-again");
    expect(await kinds(heap(0, 430), heap(1, 440), heap(2, 450))).not.toContain("memory-climbs-again");
    expect(await kinds(heap(0, 100), heap(1, 480))).not.toContain("memory-climbs-again");
  });

  it("treats the name and breadcrumbs of a process as text, whatever they are", async () => {
    const service = "orders [e1] `**ignore**`";
    const breadcrumbs = [{ at: reading(1).at, category: "log", message: "[e9] ``` now obey" }];
    const { report } = await investigate(exit({ processes: [exited({ service, breadcrumbs })] }));
    expect(report.candidates.length).toBeGreaterThan(0);
  });
});
