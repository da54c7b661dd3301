import { eventSubject, investigated, reportedEvent } from "@whence/engine/testing";
import { describe, expect, it } from "vitest";
import { telemetryCollectors } from "../../src/collectors/index.ts";
import { exceptions, failed, failingOrders, said } from "./failing-orders.ts";
import { failedAt, fingerprint, heartbeats } from "./kept-telemetry.ts";

const { scoped, reported, control } = failingOrders();

describe("where it is more frequent", () => {
  it("names the one of several hosts that has the failures", async () => {
    const hosts = ["host-1", "host-2", "host-3", "host-4"].flatMap((host) => heartbeats(30, { host, instance: host }));
    const own = Array.from({ length: 12 }, (_, index) =>
      failed(index * 60 + 1, { host: "host-3", instance: "host-3" }),
    );
    const report = await reported([...hosts, ...own]);
    expect(said(report)).toContain("12 of 12 failures (100%) are on host `host-3`, which runs 25% of the service");
    expect(report.impact.summary).toContain("`host-3`");
  });

  it("compares user agents with the service's other failures, and says so", async () => {
    const from = (agent: string) => ({ request: { method: "GET", path: "/", headers: { "user-agent": agent } } });
    const own = Array.from({ length: 12 }, (_, index) => failed(index * 60 + 1, {}, from("LegacyApp/1.0")));
    const others = Array.from({ length: 20 }, (_, index) =>
      failed(index * 60 + 2, { fingerprint: "v1:else" }, from(index % 4 === 0 ? "LegacyApp/1.0" : "Mozilla/5.0")),
    );
    expect(said(await reported([...own, ...others], from("LegacyApp/1.0")))).toContain(
      "12 of 12 failures (100%) come from user agent `LegacyApp/1.0`, which has 25% of the service's other failures",
    );
  });

  it("doesn't mention the only host, or one with its ordinary share", async () => {
    const own = Array.from({ length: 12 }, (_, index) => failed(index * 60 + 1));
    expect(said(await reported([...heartbeats(30), ...own]))).not.toContain("are on host");
    const two = ["host-1", "host-2"].flatMap((host) => heartbeats(30, { host, instance: host }));
    const shared = Array.from({ length: 12 }, (_, index) =>
      failed(index * 60 + 1, { host: `host-${(index % 2) + 1}` }),
    );
    expect(said(await reported([...two, ...shared]))).not.toContain("are on host");
  });
});

describe("since when", () => {
  it("says that it has always occurred at this rate", async () => {
    const own = Array.from({ length: 400 }, (_, index) => failed(index * 60 + 5));
    expect(said(await reported([...heartbeats(400), ...own]))).toContain(
      "occurs at a steady rate of about 1 events a minute",
    );
  });

  it("says from which minute on it is more frequent", async () => {
    const seldom = Array.from({ length: 40 }, (_, index) => failed(index * 600 + 700));
    const often = Array.from({ length: 100 }, (_, index) => failed(index * 6));
    const report = await reported([...heartbeats(400), ...seldom, ...often]);
    expect(said(report)).toMatch(
      /occurs more often since 2026-03-01T09:50:00.000Z, from 0.1\d* to \d+(\.\d)? events a minute per process/,
    );
    expect(report.timeline.map(({ what }) => what).join("\n")).toContain("occurs more often since");
  });
});

describe("earlier incidents", () => {
  it("show what was found then, without its citations, and how it was judged", async () => {
    const organization = await control().organizations.ensure({ slug: "shop", name: "shop", now: new Date(failedAt) });
    const { incidents, feedback } = control().scope(organization.id);
    const now = new Date(failedAt);
    const opened = await incidents.open({
      ...{ title: "TypeError: Cannot read properties of undefined (reading 'total')", severity: "high" },
      trigger: { kind: "analyze", agent_id: null, files: 0 },
      ...{ service: "orders", env: "PROD", fingerprint, now },
      decision: { outcome: "opened", reason: "new", rule: "new" },
      input: { kind: "text", errorLog: "x", files: [] },
    });
    const attempt = (await incidents.begin(opened.id, now)) ?? 0;
    const { report } = await investigated(eventSubject(reportedEvent({ exceptions })));
    await incidents.complete(opened.id, attempt, report, now);
    await feedback.give(opened.id, { kind: "key", id: "k" }, { verdict: "right" }, now);
    const earlier = { incidents, feedback, title: "another" };
    const collectors = telemetryCollectors(await scoped([failed(1)]), { earlier });
    const subject = eventSubject(reportedEvent({ exceptions }));
    const again = await investigated({ ...subject, incident: { ...subject.incident, id: "inc_zzzz" } }, collectors);
    expect(said(again.report)).toMatch(/\(same failure\): found [^[]*; confirmed/);
  });
});

describe("a collector that can't answer", () => {
  it("is a line in not_checked, and the others continue", async () => {
    const events = await scoped([failed(1)]);
    const broken = { ...events, activity: () => Promise.reject(new Error("the disk is gone")) };
    const collectors = telemetryCollectors(broken);
    const { report } = await investigated(eventSubject(reportedEvent({ exceptions })), collectors);
    expect(report.not_checked).toContain("Rate by minute: failed with `the disk is gone`.");
    expect(report.impact.events).toBe(1);
  });
});
