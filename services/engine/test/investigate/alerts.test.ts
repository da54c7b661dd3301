import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../investigated.ts";

const alert = JSON.stringify({
  version: "4",
  receiver: "ops",
  status: "firing",
  alerts: [
    {
      status: "firing",
      labels: {
        alertname: "KubePodCrashLooping",
        namespace: "shop",
        pod: "payments-5c9d-x2x9k",
        service: "payments",
        severity: "critical",
      },
      annotations: { summary: "Pod is in waiting state (reason: CrashLoopBackOff)." },
      startsAt: "2026-03-01T02:48:12.000Z",
    },
  ],
});

describe("a report on what a platform states", () => {
  it.each([
    "State: Waiting\n  Reason: CrashLoopBackOff\nLast State: Terminated\n  Reason:       OOMKilled\n  Exit Code:    137",
    "kernel: Out of memory: Killed process 4711 (node) total-vm:1234kB",
  ])("is as sure as the statement: %s", async (text) => {
    const { report } = await investigated(textSubject(text));
    expect(report.confidence.score).toBeGreaterThanOrEqual(0.8);
    expect(report.root_cause.category).toBe("resource-exhaustion");
    expect(report.root_cause_summary).toMatch(/killed|OOM killer/);
  });

  it("isn't sure of anything when no failure is in the text", async () => {
    const { report } = await investigated(
      textSubject("Lunch on Friday at noon? The new place on 5th takes 12 people."),
    );
    expect(report.confidence.score).toBeLessThan(0.2);
    expect(report.root_cause_summary).not.toContain("the failure");
  });
});

describe("a report on an alert that says more than a headline holds", () => {
  const alertOn = (summary: string) =>
    JSON.stringify({
      ...{ version: "4", receiver: "ops", status: "firing" },
      alerts: [{ status: "firing", labels: { alertname: "PodsPending" }, annotations: { summary } }],
    });

  it("begins with the alert's text, not with an unknown cause", async () => {
    const long = `Pods of orders wait for ${Array.from({ length: 30 }, (_, index) => `node-${index}`).join(" ")}`;
    const { report } = await investigated(textSubject(alertOn(long)));
    expect(report.root_cause_summary).toMatch(/`PodsPending`: `Pods of orders wait for node-0 node-1 node-2…`/);
    expect(report.root_cause_summary).not.toContain("unknown");
  });

  it("says all of an alert that fits", async () => {
    const { report } = await investigated(textSubject(alertOn("Pods of orders wait for a node")));
    expect(report.root_cause_summary).toContain("`Pods of orders wait for a node`");
  });
});

describe("a report on an alert", () => {
  it("contains the alert's text, its subject and its start, and that no place is known", async () => {
    const { report } = await investigated(textSubject(alert));
    expect(report.root_cause_summary).toMatch(/\[e1\]$/);
    expect(report.confidence.score).toBeLessThan(0.2);
    expect(report.impact).toMatchObject({
      first_seen: "2026-03-01T02:48:12.000Z",
      services: ["payments"],
      hosts: ["payments-5c9d-x2x9k"],
    });
    expect(report.timeline).toMatchObject([{ at: "2026-03-01T02:48:12.000Z" }]);
  });

  it("names the log that contains the error", async () => {
    const { report } = await investigated(textSubject(alert));
    expect(report.detailed_analysis).toContain("`kubectl logs -n shop payments-5c9d-x2x9k --previous`");
  });
});

describe("a report on a nearly empty text", () => {
  it.each(["--", "   \n\t\n-", "."])("says that nothing could be read: %j", async (text) => {
    const { report } = await investigated(textSubject(text));
    expect(report.root_cause.category).toBe("unknown");
    expect(report.chain).toHaveLength(1);
    expect(report.short_term_solutions).toEqual([]);
  });
});
