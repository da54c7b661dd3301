import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../investigated.ts";

const poolLog = [
  '{"level":30,"time":1772359200000,"name":"orders","msg":"config loaded","db":"pg-main:5432","poolSize":10}',
  '{"level":30,"time":1772359205000,"name":"orders","msg":"listening on 3000"}',
  '{"level":40,"time":1772362790000,"name":"orders","msg":"pool is exhausted, waiting for a connection","waiting":4}',
  '{"level":40,"time":1772362795000,"name":"orders","msg":"pool is exhausted, waiting for a connection","waiting":9}',
  '{"level":40,"time":1772362799000,"name":"orders","msg":"pool is exhausted, waiting for a connection","waiting":17}',
  '{"level":50,"time":1772362800000,"name":"orders","err":{"type":"Error","message":"timeout exceeded when trying to connect","stack":"Error: timeout exceeded when trying to connect\\n    at async loadOrder (/app/src/repository.js:12:18)"},"msg":"request failed"}',
].join("\n");

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

describe("a report on a log", () => {
  it("says what was configured and what was warned about before the error, how often and since when", async () => {
    const { report } = await investigated(textSubject(poolLog));
    expect(report.detailed_analysis).toMatch(/`config loaded` \(`db=pg-main:5432`, `poolSize=10`\)/);
    expect(report.detailed_analysis).toMatch(
      /Warn: `pool is exhausted, waiting for a connection`, 3 times from 2026-03-01T10:59:50\.000Z to 2026-03-01T10:59:59\.000Z, starting 10 s before the error; `waiting` rose from 4 to 17\. \[e\d+\]/,
    );
  });

  it("puts the log's lines on the timeline, and the error at the time at which it was logged", async () => {
    const { report } = await investigated(textSubject(poolLog));
    expect(report.timeline.map(({ at }) => at)).toEqual([
      "2026-03-01T10:00:00.000Z",
      "2026-03-01T10:59:50.000Z",
      "2026-03-01T11:00:00.000Z",
    ]);
    expect(report.impact).toMatchObject({ first_seen: "2026-03-01T11:00:00.000Z", events: 1 });
  });

  it("says how often the failure occurs in it", async () => {
    const lines = [19, 22, 27].map((second) => `2026-03-01T02:41:${second}.000Z ERROR GET /products failed with 504`);
    const { report } = await investigated(textSubject(lines.join("\n")));
    expect(report.root_cause.category).toBe("timeout");
    expect(report.impact).toMatchObject({
      events: 3,
      first_seen: "2026-03-01T02:41:19.000Z",
      last_seen: "2026-03-01T02:41:27.000Z",
    });
  });

  it("says why it chose one of several errors", async () => {
    const log = "Warning: x\n    at a (/srv/a.js:1:1)\nError: y\n    at b (/srv/b.js:1:1)\n";
    const { report } = await investigated(textSubject(log));
    expect(report.detailed_analysis).toMatch(
      /The text has 1 more error\. This one was chosen because it is the first with a stack/,
    );
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
