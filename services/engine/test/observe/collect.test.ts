import { describe, expect, it } from "vitest";
import { collectEvidence } from "../../src/collect-evidence.ts";
import type { Collector } from "../../src/observe/collector.ts";
import { announced, announcedSubject, investigated, textSubject } from "../investigated.ts";
import { eventSubject, reportedEvent } from "../reported-event.ts";

const subject = eventSubject(reportedEvent({ exceptions: [{ type: "Error", message: "x", stack: "Error: x" }] }));
const collector = (parts: Partial<Collector>): Collector => ({ name: "metrics", collect: async () => [], ...parts });

describe("a collector", () => {
  it("that fails is listed as not checked, and doesn't affect the others", async () => {
    const failing = collector({ collect: () => Promise.reject(new Error("503 from the metrics")) });
    const { report } = await investigated(subject, [failing, collector({ name: "logs" })]);
    expect(report.not_checked).toContain("Metrics: failed with `503 from the metrics`.");
    expect(report.not_checked.join("\n")).not.toContain("Logs:");
  });

  it("that throws before it starts is treated alike", async () => {
    const throwing = collector({
      collect: () => {
        throw new Error("no such region");
      },
    });
    const { report } = await investigated(subject, [throwing]);
    expect(report.not_checked).toContain("Metrics: failed with `no such region`.");
  });

  it("that misses a part says which", async () => {
    const half = collector({
      collect: async (_findings, _signal, missed) => {
        missed("403 from the alerts");
        return [];
      },
    });
    const { report } = await investigated(subject, [half]);
    expect(report.not_checked).toContain("Metrics, in part: failed with `403 from the alerts`.");
  });

  it("that misses its deadline isn't waited for, even when it ignores its signal", async () => {
    const never = collector({ deadlineMs: 10, collect: () => new Promise(() => undefined) });
    const { report } = await investigated(subject, [never]);
    expect(report.not_checked).toContain("Metrics: no answer within 10 ms.");
  });

  it("that may take longer than the remaining time has only that time", async () => {
    const slow = collector({ deadlineMs: 60_000, collect: () => new Promise(() => undefined) });
    const { notChecked } = await collectEvidence([slow], subject, new AbortController().signal, 10);
    expect(notChecked).toEqual([{ kind: "collector-too-slow", collector: "metrics", afterMs: 10 }]);
  });

  it("isn't asked about a pasted text, which belongs to no telemetry", async () => {
    const { report } = await investigated(textSubject("Error: x"), [
      collector({ collect: () => Promise.reject(new Error("was disturbed")) }),
    ]);
    expect(report.not_checked.join("\n")).not.toContain("was disturbed");
    expect(report.not_checked.join("\n")).toContain("Telemetry: the text belongs to no service");
  });

  it("is asked about an announced failure at its time", async () => {
    const asked: unknown[] = [];
    const about = { ...announced, service: "orders", isInTelemetry: true };
    const { report } = await investigated(announcedSubject("Error: x", about), [
      collector({
        collect: async ({ event, observedAt, about: given }) => {
          asked.push({ event, observedAt, given });
          return [];
        },
      }),
    ]);
    expect(asked).toEqual([{ event: null, observedAt: about.at, given: about }]);
    expect(report.not_checked.join("\n")).not.toContain("Telemetry: the text belongs to no service");
  });
});
