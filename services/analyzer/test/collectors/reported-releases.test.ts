import { randomUUID } from "node:crypto";
import type { DeployFact } from "@whence/engine";
import { call, eventSubject, exception, frameAt, investigated, reportedEvent } from "@whence/engine/testing";
import type { ReleaseReport, Report } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { telemetryCollectors } from "../../src/collectors/index.ts";
import { before, failedAt, fingerprint, heartbeats, type Kept, keptTelemetry } from "./kept-telemetry.ts";

const { scoped, control } = keptTelemetry();
const program = { "/srv/orders/src/a.js": "function f(order) {\n  return order.total;\n}\n" };
const exceptions = [
  exception("TypeError", "Cannot read properties of undefined (reading 'total')", [
    frameAt(program, "/srv/orders/src/a.js", "total", "f"),
  ]),
];
const commit = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d";
const failure: Kept = { fingerprint, secondsBefore: 10, event: { exceptions } };
const minuteSeconds = 60;

/** A release that was reported as live so many seconds before the failure. */
type Live = Partial<ReleaseReport> & { readonly secondsBefore: number };

async function reportOn(kept: readonly Kept[], live: readonly Live[], breadcrumbs = [call(5, {})]): Promise<Report> {
  const scopeId = `org_${randomUUID()}`;
  const { releases } = control().scope(scopeId);
  for (const { secondsBefore, ...about } of live) {
    const report = { service: "orders", release: "1.5.0", env: "PROD", commit: null, url: null, ...about };
    await releases.report(report, new Date(failedAt - secondsBefore * 1_000), 100);
  }
  const collectors = telemetryCollectors(await scoped(kept, scopeId), { reported: releases });
  return (await investigated(eventSubject(reportedEvent({ exceptions, breadcrumbs })), collectors)).report;
}

interface Judged extends Pick<DeployFact, "release" | "previous" | "verdict" | "at"> {}

function deploysIn({ evidence }: Report): Judged[] {
  return evidence
    .filter(({ source }) => source.name === "releases")
    .map(({ excerpt }) => JSON.parse(excerpt) as Judged)
    .map(({ release, previous, verdict, at }) => ({ release, previous, verdict, at }));
}

const said = ({ evidence }: Report): string =>
  evidence
    .filter(({ source }) => source.name === "releases")
    .map(({ summary }) => summary)
    .join("\n");

describe("a release that was reported as live", () => {
  it("is near a failure that began soon after, before any process of it has sent anything", async () => {
    const report = await reportOn([...heartbeats(60), failure], [{ secondsBefore: 120, commit }]);
    expect(deploysIn(report)).toEqual([{ release: "1.5.0", previous: "1.4.2", verdict: "near", at: before(120) }]);
    expect(said(report)).toContain("reported as live at 2026-03-01T09:58:00.000Z, after `1.4.2`, built from `1a2b3c4`");
    expect(said(report)).toContain("it went live 110 s before the first failure");
  });

  it("counts where events name no release, after the one that was reported before", async () => {
    const nameless = [...heartbeats(60, { release: "" }), { ...failure, release: "" }];
    const live = [{ secondsBefore: 9_000, release: "1.4.0" }, { secondsBefore: 120 }];
    expect(deploysIn(await reportOn(nameless, live))).toEqual([
      { release: "1.5.0", previous: "1.4.0", verdict: "near", at: before(120) },
    ]);
    expect(deploysIn(await reportOn(nameless, [{ secondsBefore: 120 }]))).toMatchObject([{ previous: null }]);
  });

  it.each([
    ["the failure began long after it", [...heartbeats(60), failure], 20 * minuteSeconds],
    ["the failure had occurred before it", [...heartbeats(60), failure, { ...failure, secondsBefore: 900 }], 120],
  ])("is ruled out when %s", async (_, kept, secondsBefore) => {
    const report = await reportOn(kept, [{ secondsBefore }]);
    expect(deploysIn(report).map(({ verdict }) => verdict)).not.toContain("near");
  });

  it.each([
    ["in another environment", { env: "STAGING" }],
    ["after the failure", { secondsBefore: -20 * minuteSeconds }],
    ["more than a day before the failure", { secondsBefore: 25 * 60 * minuteSeconds }],
  ])("doesn't count when it went live %s", async (_, about) => {
    expect(deploysIn(await reportOn([...heartbeats(60), failure], [{ secondsBefore: 120, ...about }]))).toEqual([]);
  });

  it("is one release with what its processes report, which began with whichever came first", async () => {
    const old = heartbeats(30, { release: "orders@1.4.2+0a0a0a0" }).slice(0, 20);
    const now = { release: "orders@1.5.0+1a2b3c4", instance: "i2" };
    const kept = [...old, ...heartbeats(2, now), { ...failure, ...now }];
    const early = await reportOn(kept, [{ secondsBefore: 300 }]);
    expect(deploysIn(early)).toMatchObject([
      { release: now.release, previous: "orders@1.4.2+0a0a0a0", at: before(300) },
    ]);
    const late = await reportOn(kept, [{ secondsBefore: 30 }]);
    expect(deploysIn(late)).toMatchObject([{ release: now.release, at: before(90) }]);
  });

  it("isn't what to roll back to unless it ran", async () => {
    const old = heartbeats(30, { release: "1.4.2" }).slice(0, 20);
    const now = { release: "1.5.0", instance: "i2" };
    const kept = [...old, ...heartbeats(3, now), { ...failure, ...now }];
    const report = await reportOn(kept, [{ secondsBefore: 200, release: "build-532" }]);
    expect(deploysIn(report)).toMatchObject([{ release: "1.5.0", previous: "1.4.2" }]);
  });
});
