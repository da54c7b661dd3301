import { randomUUID } from "node:crypto";
import { investigated } from "@whence/engine/testing";
import type { ProcessExit, Report } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { changeCollector } from "../../src/changes/change-collector.ts";
import { uploadedChanges } from "../../src/changes/uploaded-changes.ts";
import { telemetryCollectors } from "../../src/collectors/index.ts";
import { before, heartbeats, keptTelemetry } from "../collectors/kept-telemetry.ts";
import { type Files, uploadRelease } from "./release-case.ts";

const { scoped, control } = keptTelemetry();
const mebibyte = 1_048_576;
const old: Files = {
  "src/page.js": "export function page(rows) {\n  return rows.join('');\n}\n",
  "src/title.js": "export const title = 'Shop';\n",
  "src/names.js": "export const names = ['Ada'];\n",
  "src/cart.js": "export const cart = [];\n",
};
const page = {
  "src/page.js": "const made = [];\n\nexport function page(rows) {\n  made.push(rows);\n  return rows.join('');\n}\n",
};
const title = { "src/title.js": "export const title = 'The shop';\n" };
const names = { "src/names.js": "export const names = ['Ada', 'Grace'];\n" };
const cart = { "src/cart.js": "export const cart = {};\n" };

/** The report on a process of `release` that stopped, three minutes after 1.5.0 changed these files. */
async function reportOn(
  changed: Files,
  kind: ProcessExit["kind"] = "out-of-memory",
  release = "1.5.0",
): Promise<Report> {
  const scopeId = `org_${randomUUID()}`;
  await uploadRelease(control(), scopeId, { service: "orders", release: "1.4.2", files: old });
  await uploadRelease(control(), scopeId, { service: "orders", release: "1.5.0", files: { ...old, ...changed } });
  const events = await scoped(
    [...heartbeats(60, { instance: "i1" }).slice(0, 56), ...heartbeats(3, { instance: "i2", release: "1.5.0" })],
    scopeId,
  );
  const used = [200, 400, 498];
  const readings = used.map((mebibytes, index) => ({
    at: before(180 - 60 * index),
    ...{ rssBytes: null, heapUsedBytes: (kind === "out-of-memory" ? mebibytes : 90) * mebibyte },
    ...{ heapLimitBytes: 500 * mebibyte, memoryLimitBytes: null },
    ...{ eventLoopDelayMs: 2, mainThreadBlockedMs: null, requests: null, failedRequests: null },
  }));
  const exit: ProcessExit = {
    ...{ kind, confidence: 0.8, exitAfterMs: 150_000, noticedAt: before(0), othersReporting: null },
    processes: [
      {
        ...{ instance: "i2", service: "orders", host: "host-1", pid: 1, runtime: "node 22.0.0", os: "linux", release },
        ...{ firstSeenAt: before(180), lastSeenAt: before(60), lastEventId: "", lastSentAt: before(60) },
        ...{ readings, breadcrumbs: [], mainThreadStack: "" },
      },
    ],
  };
  const incident = { id: "inc_3", service: "orders", env: "PROD", fingerprint: null };
  const collectors = telemetryCollectors(events, {
    more: (judged) => [changeCollector(judged, { scopeId, changes: uploadedChanges(control()) })],
  });
  return (await investigated({ incident, input: { kind: "process-exit", exit } }, collectors)).report;
}

const saysFirst = ({ chain }: Report) => chain[0]?.what ?? "";

describe("the release before a process exit", () => {
  it("is compared with the previous one", async () => {
    const { evidence } = await reportOn(page, "killed");
    expect(evidence.map(({ summary }) => summary)).toContain("`orders` 1.5.0 differs from `1.4.2` in 1 file");
  });

  it("is where a full memory may come from, with the lines that it changed, when it changed one file", async () => {
    const report = await reportOn(page);
    expect(saysFirst(report)).toMatch(/^`orders` 1\.5\.0 changed only `src\/page\.js.*, before the process ended/);
    expect(report.root_cause).toMatchObject({ category: "resource-exhaustion", service: "orders" });
    expect(report.root_cause.location?.file).toBe("src/page.js");
    expect(report.evidence.some(({ excerpt }) => excerpt.includes("made.push(rows)"))).toBe(true);
    expect(report.root_cause_summary).not.toContain("changed only");
    expect(report.confidence.score).toBeLessThanOrEqual(0.8);
  });

  it("is named with up to three files, the one with the most new lines first", async () => {
    expect(saysFirst(await reportOn({ ...title, ...page, ...names }))).toMatch(
      /changed only `src\/page\.js`, `src\/\w+\.js`, and `src\/\w+\.js`/,
    );
    expect(saysFirst(await reportOn({ ...title, ...page, ...names, ...cart }))).not.toContain("changed only");
  });

  it("isn't when the process was killed otherwise, or ran another release", async () => {
    expect(saysFirst(await reportOn(page, "killed"))).not.toContain("changed only");
    expect(saysFirst(await reportOn(page, "out-of-memory", "1.4.2"))).not.toContain("changed only");
  });
});
