import { failureMessageSchema, limits, type TelemetryEvent } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { failuresOf } from "../../src/writer/failures-of.ts";
import { toStoredEvents } from "../../src/writer/to-stored-event.ts";
import { batchOf, exceptionEvent, logEvent } from "../batches.ts";

const stored = (events: TelemetryEvent[]) =>
  toStoredEvents({
    scope_id: "org_1",
    received_at: new Date().toISOString(),
    batch: { ...batchOf([], { release: "7" }), events },
  });

function failuresIn(...events: TelemetryEvent[]) {
  const published = failuresOf("m1", stored(events));
  const messages = (published?.messages ?? []).map(({ body }) => failureMessageSchema.parse(JSON.parse(body)));
  const failures = messages.flatMap((message) => message.failures);
  expect(published?.count ?? 0).toBe(failures.length);
  return failures;
}

describe("a failure", () => {
  it.each<[string, TelemetryEvent, boolean]>([
    ["an exception", exceptionEvent("f"), true],
    ["an exception of level critical", exceptionEvent("f", { level: "critical" }), true],
    ["an exception of level warning", exceptionEvent("f", { level: "warning" }), false],
    ["an exception of level info", exceptionEvent("f", { level: "info" }), false],
    ["a log of level critical", logEvent({ level: "critical" }), true],
    ["a log of level error", logEvent({ level: "error" }), true],
    ["a log of level warning", logEvent({ level: "warning" }), false],
    ["a heartbeat, whatever its level", logEvent({ type: "heartbeat", level: "error" }), false],
    ["an exit, whatever its level", logEvent({ type: "exit", level: "critical" }), false],
  ])("is recognized: %s", (_name, event, isFailure) => {
    expect(stored([event])[0]?.fingerprint !== "").toBe(isFailure);
    expect(failuresIn(event)).toHaveLength(isFailure ? 1 : 0);
  });

  it("carries what the analyzer decides by", () => {
    const event = exceptionEvent("total");
    expect(failuresIn(event)).toEqual([
      {
        event_id: event.id,
        fingerprint: stored([event])[0]?.fingerprint,
        service: "orders",
        env: "PROD",
        release: "7",
        type: "exception",
        level: "error",
        title: "TypeError: Cannot read properties of null (reading 'amount')",
        mechanism: "uncaughtException",
        handled: false,
        at: event.timestamp,
      },
    ]);
  });

  it.each([
    ["of its own", undefined, true],
    ["of the process", "process" as const, false],
  ])("of a request says whether a call had failed: one %s", (_, scope, isSaid) => {
    const timestamp = new Date().toISOString();
    const breadcrumb = {
      timestamp,
      category: "http",
      data: { method: "GET", url: "http://stock/1", status_code: 503 },
    };
    const request = { method: "GET", path: "/", headers: {} };
    const breadcrumbs = [scope === undefined ? breadcrumb : { ...breadcrumb, scope }];
    const [failure] = failuresIn(exceptionEvent("f", { timestamp, request, breadcrumbs }));
    expect(failure?.has_failed_calls === true).toBe(isSaid);
  });

  it("names the order by which places were watched, if any was reached on the way to it", () => {
    const at = { file: "plan.js", line: 3, function: "planOf", starts: 2 };
    const hit = { ...at, kind: "reached" as const, nth: 1, values: {}, thread: "1-0", at_ms: 5, callers: [] };
    const watched = { order: "wat_1", at_ms: 5, places: [], hits: [hit] };
    const [reached, unreached] = failuresIn(
      exceptionEvent("f", { watched }),
      exceptionEvent("f", { seq: 2, watched: { ...watched, hits: [] } }),
    );
    expect([reached?.watch, unreached?.watch]).toEqual(["wat_1", undefined]);
  });

  it("has the same fingerprint at any position in a batch", () => {
    const [first, second] = failuresIn(exceptionEvent("f"), exceptionEvent("f", { seq: 2 }));
    expect(first?.fingerprint).toBe(second?.fingerprint);
  });
});

describe("a title", () => {
  const titleOf = (event: TelemetryEvent) => failuresIn(event)[0]?.title;
  const thrown = (type: string, message: string) =>
    exceptionEvent("f", {
      exceptions: [
        { type, message, stack: "" },
        { type: "Cause", message: "c", stack: "" },
      ],
    });

  it.each([
    ["the outermost error, as a runtime prints it", thrown("Error", "it broke"), "Error: it broke"],
    ["the type alone when there is no message", thrown("Error", ""), "Error"],
    ["the first line", thrown("Error", "one\ntwo"), "Error: one"],
    ["a log's text", logEvent({ message: "\n  payment failed \nat 12" }), "payment failed"],
    ["the event's type when nothing was said", logEvent({ message: " \n " }), "log"],
    ["an exception without any", exceptionEvent("f", { exceptions: [], message: "m" }), "m"],
  ])("is %s", (_name, event, title) => {
    expect(titleOf(event)).toBe(title);
  });

  it("has at most 200 characters", () => {
    expect(titleOf(logEvent({ message: "t".repeat(200) }))).toBe("t".repeat(200));
    expect(titleOf(logEvent({ message: "t".repeat(201) }))).toBe(`${"t".repeat(199)}…`);
  });

  it("fits into messages that every queue accepts, even with very long names in the batch", () => {
    const frame = { scope_id: "org_1", received_at: "2026-03-01T12:00:00.000Z" };
    const release = "\u0001".repeat(limits.textLengthMax);
    const mechanism = { type: "\u0001".repeat(limits.textLengthMax), handled: false };
    const events = Array.from({ length: 30 }, (_, index) => exceptionEvent("f", { seq: index + 1, mechanism }));
    const published = failuresOf("m1", toStoredEvents({ ...frame, batch: { ...batchOf([], { release }), events } }));
    const messages = published?.messages ?? [];
    expect(messages.length).toBeGreaterThan(1);
    expect(Math.max(...messages.map(({ body }) => Buffer.byteLength(body)))).toBeLessThan(1_048_576 - 16_384);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
    expect(messages[0]?.id).toBe("m1");
    const ids = messages.flatMap(({ body }) => failureMessageSchema.parse(JSON.parse(body)).failures);
    expect(ids.map(({ event_id }) => event_id)).toEqual(events.map(({ id }) => id));
  });
});
