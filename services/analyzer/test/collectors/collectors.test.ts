import { eventSubject, exception, frameAt, investigated, reportedEvent } from "@whence/engine/testing";
import { describe, expect, it } from "vitest";
import { failedAt, fingerprint, heartbeats, type Kept, keptTelemetry } from "./kept-telemetry.ts";

const trace = { trace_id: "4bf92f3577b34da6a3ce929d0e0e4736", span_id: "00f067aa0ba902b7" };
const program = { "/srv/orders/src/a.js": "function f(order) {\n  return order.total;\n}\n" };

const { withStored } = keptTelemetry();

const failing = reportedEvent({
  exceptions: [
    exception("TypeError", "Cannot read properties of undefined (reading 'total')", [
      frameAt(program, "/srv/orders/src/a.js", "total", "f"),
    ]),
  ],
  trace,
});

describe("collectors", () => {
  it("have the long deadline if others ask before them, since the store answers one after another", async () => {
    const collectors = await withStored({ fingerprint, secondsBefore: 10 });
    const hasty = collectors.filter(({ deadlineMs }) => deadlineMs === undefined);
    expect(hasty.map(({ name }) => name)).toEqual(["failure totals", "answered requests"]);
  });
});

describe("the totals of a failure", () => {
  // requirement: service.report-impact
  // requirement: service.report-timeline
  it("say how often, since when, and to whom it occurred", async () => {
    const collectors = await withStored(
      {
        fingerprint,
        secondsBefore: 600,
        host: "host-2",
      },
      {
        fingerprint,
        secondsBefore: 30,
        event: { request: { method: "GET", path: "/orders/7", route: "/orders/:id", headers: {} } },
      },
      { fingerprint: "v1:another", secondsBefore: 20 },
    );
    const { report } = await investigated(eventSubject(failing), collectors);
    expect(report.impact).toMatchObject({
      events: 2,
      first_seen: "2026-03-01T09:50:00.000Z",
      last_seen: "2026-03-01T09:59:30.000Z",
      services: ["orders"],
      routes: ["/orders/:id"],
    });
    expect([...report.impact.hosts].sort()).toEqual(["host-1", "host-2"]);
    expect(report.timeline[0]?.what).toContain("2 events since");
  });

  it("cover one scope only", async () => {
    await withStored({ fingerprint, secondsBefore: 10 });
    const own = await withStored({ fingerprint, secondsBefore: 5 }, { fingerprint, secondsBefore: 6 });
    const { report } = await investigated(eventSubject(failing), own);
    expect(report.impact.events).toBe(2);
  });
});

describe("the share of requests that fail", () => {
  const request = { method: "GET", path: "/orders/7", route: "/orders/:id", headers: {} };
  const beats = (instance: string, counts: (minute: number) => object) =>
    heartbeats(14, { instance }, (minute) => counts(minute));
  const say = async (...kept: Kept[]) => {
    const collectors = await withStored({ fingerprint, secondsBefore: 240, event: { request } }, ...kept);
    return (await investigated(eventSubject({ ...failing, request }), collectors)).report.impact.summary;
  };

  it("covers the minutes since the failure was first seen, over all processes", async () => {
    const counts = (minute: number) => ({ requests: 60, failed_requests: minute < 10 ? 0 : 1.5 });
    expect(await say(...beats("a", counts), ...beats("b", counts))).toMatch(/`orders` since .* failed \(2\.5%\)\./);
  });

  it("is zero when none fails, and unknown without counts or when the failure is newer than every heartbeat", async () => {
    expect(await say(...beats("a", () => ({ requests: 7, failed_requests: 0 })))).toMatch(
      /`orders` answered all \d+ requests since .* without a server error\./,
    );
    expect(await say(...beats("a", () => ({})))).toContain(
      "Heartbeats of `orders` haven't reported request counts since then.",
    );
    const early = beats("a", () => ({ requests: 12, failed_requests: 0 })).slice(0, 8);
    expect(await say(...early)).toContain("Heartbeats of `orders` haven't reported request counts since then.");
  });

  it("isn't stated of requests from before the failure", async () => {
    const early = heartbeats(5, { secondsBefore: 300 }, () => ({ requests: 1, failed_requests: 0 }));
    const { report } = await investigated(eventSubject({ ...failing, request }), await withStored(...early));
    expect(JSON.stringify(report)).not.toContain("answered 0 of");
  });

  it("isn't mentioned when the failure isn't in a request", async () => {
    const collectors = await withStored({ fingerprint, secondsBefore: 30 });
    const { report } = await investigated(eventSubject(failing), collectors);
    expect(report.impact.summary).not.toContain("request");
  });
});

describe("what the same process reported before", () => {
  it("shows memory that grew and an event loop that was blocked", async () => {
    const beat = (secondsBefore: number, heap: number, delay: number): Kept => ({
      secondsBefore,
      event: {
        type: "heartbeat",
        level: "info",
        message: "",
        attributes: { heap_used_bytes: heap, event_loop_delay_ms: delay },
      },
    });
    const collectors = await withStored(beat(600, 100_000_000, 1), beat(60, 150_000_000, 200));
    const { report } = await investigated(eventSubject(failing), collectors);
    const seen = report.evidence.map(({ summary }) => summary).join("\n");
    expect(seen).toContain("grew from 95 MiB to 143 MiB");
    expect(seen).toContain("blocked for 200 ms");
  });

  it("never says that memory grew from a heap to the whole process, which a blocked process reports alone", async () => {
    const beat = (secondsBefore: number, attributes: object): Kept => ({
      secondsBefore,
      event: { type: "heartbeat", level: "info", message: "", attributes: { ...attributes } },
    });
    const healthy = { heap_used_bytes: 100_000_000, heap_limit_bytes: 500_000_000, rss_bytes: 400_000_000 };
    const blocked = { main_thread_blocked_ms: 40_000, main_thread_stack: "at f (a.js:1:1)", rss_bytes: 480_000_000 };
    const collectors = await withStored(beat(600, healthy), beat(120, healthy), beat(60, blocked));
    const { report } = await investigated(eventSubject(failing), collectors);
    expect(JSON.stringify(report)).not.toMatch(/ grew from |of its limit/);
  });

  it("doesn't mention ordinary ups and downs, or another process", async () => {
    const beat = (heap: number, instance: string, secondsBefore: number): Kept => ({
      instance,
      secondsBefore,
      event: {
        type: "heartbeat",
        level: "info",
        message: "",
        attributes: { heap_used_bytes: heap, event_loop_delay_ms: 199 },
      },
    });
    const collectors = await withStored(
      beat(100, "instance-1", 600),
      beat(149, "instance-1", 60),
      beat(900, "instance-2", 30),
    );
    const { report } = await investigated(eventSubject(failing), collectors);
    expect(report.evidence.map(({ summary }) => summary).join("\n")).not.toMatch(/ grew from |was blocked/);
  });

  it("shows the errors before this one", async () => {
    const collectors = await withStored({
      secondsBefore: 5,
      fingerprint: "v1:another",
      event: { message: "pool: no free connection" },
    });
    const { report } = await investigated(eventSubject(failing), collectors);
    expect(report.timeline.map(({ what }) => what).join("\n")).toContain("pool: no free connection");
  });
});

describe("the neighbors of a failure", () => {
  const stockFailure = {
    service: "stock",
    instance: "instance-9",
    fingerprint: "v1:stock",
    secondsBefore: 0.2,
    event: {
      message: "Error: no such table: items",
      exceptions: [
        exception("Error", "no such table: items", [
          { file: "/srv/stock/src/items.js", line: 12, column: 3, function: "countItems", in_app: true },
        ]),
      ],
      trace,
    },
  } satisfies Kept;

  it("are the other services' failures in the same trace, with their role", async () => {
    const { report } = await investigated(eventSubject(failing), await withStored(stockFailure));
    const related = report.candidates.find(({ location }) => location?.file === "/srv/stock/src/items.js");
    expect(related).toMatchObject({
      rank: 1,
      service: "stock",
      category: "schema-drift",
      location: { line: 12, function: "countItems" },
    });
    expect(related?.support.join()).toContain("in the same trace");
  });

  it("are those within the same half minute when there is no trace and a call failed", async () => {
    const { trace: _, ...event } = failing;
    const call = { method: "GET", url: "http://stock:8080/items", status_code: 500 };
    const breadcrumbs = [{ timestamp: "2026-03-01T09:59:59.900Z", category: "http", data: call }];
    const collectors = await withStored(stockFailure, {
      ...stockFailure,
      service: "mail",
      fingerprint: "v1:mail",
      secondsBefore: 31,
    });
    const { report } = await investigated(eventSubject({ ...event, breadcrumbs }), collectors);
    const named = report.candidates.filter(({ service }) => service !== null);
    expect(new Set(named.map(({ service }) => service))).toEqual(new Set(["orders", "stock"]));
    const related = named.find(({ service }) => service === "stock");
    expect(related?.against).toEqual([]);
    expect(report.evidence.map(({ summary }) => summary).join("\n")).toContain("`stock` failed at about the same time");
  });

  it("aren't searched when no call of the event failed", async () => {
    const { trace: _, ...event } = failing;
    const { report } = await investigated(eventSubject(event), await withStored(stockFailure));
    expect(report.candidates.every(({ service }) => service === "orders")).toBe(true);
  });
});

describe("the release before a process exit", () => {
  const daySeconds = 86_400;
  const told = async (...kept: readonly Kept[]): Promise<string[]> => {
    const at = new Date(failedAt).toISOString();
    const process = {
      ...{
        instance: "i2",
        service: "orders",
        host: "h1",
        pid: 7,
        runtime: "node 26.0.0",
        os: "linux",
        release: "1.5.0",
      },
      ...{ firstSeenAt: at, lastSeenAt: at, lastEventId: "", lastSentAt: at },
      ...{ readings: [], breadcrumbs: [], mainThreadStack: "" },
    };
    const exit = { exitAfterMs: 150_000, noticedAt: at, othersReporting: null, processes: [process] };
    const incident = { id: "inc_3", service: "orders", env: "PROD", fingerprint: "v1:0123456789abcdef" };
    const input = { kind: "process-exit" as const, exit: { kind: "killed" as const, confidence: 0.6, ...exit } };
    const { report } = await investigated({ incident, input }, await withStored(...kept));
    return report.evidence.filter(({ source }) => source.name === "releases").map(({ summary }) => summary);
  };
  const old: Kept = { secondsBefore: 3 * daySeconds, release: "1.4.2", instance: "i1" };
  const started = (secondsBefore: number): Kept => ({ secondsBefore, release: "1.5.0", instance: "i2" });

  it("is shown when it is at most a day old", async () => {
    const [summary] = await told(old, { ...old, secondsBefore: 90 }, started(60));
    expect(summary).toBe(
      "`orders` 1.5.0 (first seen at 2026-03-01T09:59:00.000Z, after `1.4.2`) is near: it was first seen at 2026-03-01T09:59:00.000Z, before the process ended",
    );
    const after = [
      { ...old, secondsBefore: 600 },
      { ...started(0), secondsBefore: 600 },
    ];
    expect(await told(old, started(daySeconds), ...after)).toHaveLength(1);
    expect(await told(old, started(daySeconds + 1), ...after)).toEqual([]);
  });

  it("isn't shown when there was no earlier one, or when it came later", async () => {
    expect(await told(started(60))).toEqual([]);
    expect(await told({ ...old, secondsBefore: 90 }, started(-1))).toEqual([]);
  });
});
