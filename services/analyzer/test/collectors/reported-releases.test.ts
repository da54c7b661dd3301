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
    const report = {
      service: "orders",
      release: "1.5.0",
      env: "PROD",
      commit: null,
      url: null,
      reportedBy: "key_ci",
      ...about,
    };
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
  it("is near a failure that began soon after, even before any of its processes has sent anything", async () => {
    const report = await reportOn([...heartbeats(60), failure], [{ secondsBefore: 120, commit }]);
    expect(deploysIn(report)).toEqual([{ release: "1.5.0", previous: "1.4.2", verdict: "near", at: before(120) }]);
    expect(said(report)).toContain("reported as live at 2026-03-01T09:58:00.000Z, after `1.4.2`, built from `1a2b3c4`");
    expect(said(report)).toContain("it went live 110 s before the first failure");
  });

  it("counts where events name no release, and follows the one reported before it", async () => {
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

  it("is one release with what its processes report, starting at the earlier of the two", async () => {
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

  it("isn't the rollback target unless it ran", async () => {
    const old = heartbeats(30, { release: "1.4.2" }).slice(0, 20);
    const now = { release: "1.5.0", instance: "i2" };
    const kept = [...old, ...heartbeats(3, now), { ...failure, ...now }];
    const report = await reportOn(kept, [{ secondsBefore: 200, release: "build-532" }]);
    expect(deploysIn(report)).toMatchObject([{ release: "1.5.0", previous: "1.4.2" }]);
  });
});

describe("a release that is back", () => {
  const ran = (release: string, minutes: number, from: number, instance = `${release} ${from}`): Kept[] =>
    heartbeats(from, { release, instance }, (minute) => ({ uptime_seconds: minute * minuteSeconds + 30 })).slice(
      0,
      minutes,
    );
  const failing = { ...failure, release: "2.0.0", instance: "2.0.0 3" };
  const back = { release: "2.0.0", previous: "2.0.1", verdict: "near" };

  it("is a deploy when it is reported again after another one", async () => {
    const live = [
      { secondsBefore: 9_000, release: "2.0.0" },
      { secondsBefore: 900, release: "2.0.1" },
      { secondsBefore: 120, release: "2.0.0", commit },
      { secondsBefore: 60, release: "2.0.0", commit },
    ];
    const report = await reportOn([...heartbeats(60, { release: "" }), { ...failure, release: "" }], live);
    expect(deploysIn(report)).toEqual([{ ...back, at: before(120) }]);
    expect(said(report)).toContain(
      "`orders` went back from 2.0.1 to 2.0.0 at 2026-03-01T09:58:00.000Z, as reported, built from `1a2b3c4`",
    );
    expect(said(report)).toContain("it went live again 110 s before the first failure");
  });

  it("is a deploy when it is reported again after another one started", async () => {
    const kept = [...ran("2.0.0", 40, 60), ...ran("2.0.1", 15, 20), ...heartbeats(3, failing), failing];
    const live = [
      { secondsBefore: 3_600, release: "2.0.0" },
      { secondsBefore: 130, release: "2.0.0" },
    ];
    expect(deploysIn(await reportOn(kept, live))).toEqual([{ ...back, at: before(130) }]);
  });

  it("is a deploy when its processes start again after those of another one, which have stopped", async () => {
    const kept = [...ran("2.0.0", 40, 60), ...ran("2.0.1", 15, 20), ...ran("2.0.0", 3, 3), failing];
    const report = await reportOn(kept, []);
    expect(deploysIn(report)).toEqual([{ ...back, at: before(180) }]);
    expect(said(report)).toContain("`orders` went back from 2.0.1 to 2.0.0 at 2026-03-01T09:57:00.000Z");
    expect(said(report)).toContain("it started again 3 min before the first failure");
  });

  it("brings its failures back when the release between had none", async () => {
    const old = [40, 38, 36, 34, 32].map((minutes) => ({
      ...{ ...failing, instance: "2.0.0 60", secondsBefore: minutes * minuteSeconds },
    }));
    const now = [10, 20, 30, 40, 50].map((secondsBefore) => ({ ...failing, secondsBefore }));
    const kept = [...ran("2.0.0", 30, 60), ...ran("2.0.1", 25, 30), ...ran("2.0.0", 3, 3), ...old, ...now];
    const report = await reportOn(kept, []);
    expect(deploysIn(report)).toEqual([{ ...back, at: before(180), verdict: expect.stringMatching(/near|suspect/) }]);
    expect(said(report)).toContain(
      "has all the failures, from before and after `2.0.1`: 10 failures in it, 0 in other",
    );
  });

  it.each([
    ["both run", [...ran("2.0.0", 60, 60), ...ran("2.0.1", 20, 20), ...ran("2.0.0", 3, 3)]],
    ["they take turns", [60, 50, 40, 30, 20].flatMap((from, turn) => ran(turn % 2 === 0 ? "2.0.0" : "2.0.1", 5, from))],
    ["no other one started between", [...ran("2.0.0", 30, 60), ...ran("2.0.0", 3, 3)]],
  ])("isn't one when %s", async (_, kept) => {
    expect(said(await reportOn([...kept, failing], []))).not.toContain("went back");
  });

  it("is one deploy with a report that is repeated while its processes restart", async () => {
    const kept = [...ran("2.0.0", 40, 60), ...ran("2.0.1", 20, 20), ...ran("2.0.1", 2, 2)];
    const now = { ...failing, release: "2.0.1", instance: "2.0.1 2" };
    const live = [
      { secondsBefore: 1_200, release: "2.0.1" },
      { secondsBefore: 90, release: "2.0.1" },
    ];
    expect(deploysIn(await reportOn([...kept, now], live))).toMatchObject([{ release: "2.0.1", at: before(1_200) }]);
  });
});
