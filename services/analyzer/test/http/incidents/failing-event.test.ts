import type { TelemetryEvent } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { storedEvent } from "../../stored-event.ts";
import { makeOrganization, startTestService, type TestOrganization, type TestService } from "../../test-service.ts";

let service: TestService;
let acme: TestOrganization;

beforeAll(async () => {
  service = await startTestService();
  service.clock.now = Date.now();
  acme = await makeOrganization(service, "acme");
});
afterAll(() => service.close());

/** What the service says of the event that opened an incident. */
async function failingEvent(changes: Partial<TelemetryEvent>, sent: Parameters<typeof storedEvent>[1] = {}) {
  const stored = storedEvent(acme.id, sent);
  const event = { ...stored.event, ...changes };
  await service.events.insert([{ ...stored, event }]);
  const { id } = await service.control.scope(acme.id).incidents.open({
    ...{ title: "boom", severity: "high", service: "orders", env: "PROD", fingerprint: null },
    trigger: { kind: "event", event_id: event.id, mechanism: "uncaughtException", handled: false },
    decision: { outcome: "opened", rule: "new-failure", reason: "" },
    input: { kind: "event", eventId: event.id },
    now: new Date(service.clock.now),
  });
  const url = `/api/incidents/${id}/telemetry`;
  const answer = await service.app.inject({ url, headers: { cookie: acme.cookie } });
  return { event, said: answer.json().failing_event };
}

describe("the event that opened an incident", () => {
  it("says what is missing from it, by which rule and where", async () => {
    const redactions = [{ rule: "default-name", path: "/request/headers/authorization" }];
    const { event, said } = await failingEvent({ redactions });
    expect(said).toEqual({
      ...{ event_id: event.id, claimed_at: null },
      ...{ redactions, withheld: false, kept_back: 0, mapped_frames: [], local_variables: [] },
    });
  });

  it("says which time its client sent when that couldn't be right", async () => {
    const claimedAt = "2300-01-01T00:00:00.000Z";
    const { said } = await failingEvent({}, { claimedAt });
    expect(said).toMatchObject({ claimed_at: claimedAt });
  });

  it("says when beforeSend failed on it, and how many others of its process that dropped", async () => {
    const dropped = [
      { from_seq: 2, to_seq: 4, reason: "before_send" as const },
      { from_seq: 5, to_seq: 5, reason: "queue_full" as const },
    ];
    const { said } = await failingEvent(
      { message: "[withheld: beforeSend failed]", seq: 6 },
      { instance: "i2", dropped },
    );
    expect(said).toMatchObject({ redactions: [], withheld: true, kept_back: 3 });
  });

  it("names the compiled code of its own frames, and not of packages", async () => {
    const generated = { file: "/app/dist/bundle.js", line: 1, column: 4_120 };
    const frames = [
      { file: "/app/src/cart.ts", line: 12, in_app: true, generated },
      { file: "/app/node_modules/a/src/a.ts", line: 3, in_app: false, generated },
      { file: "/app/main.js", line: 1, in_app: true },
    ];
    const { said } = await failingEvent({ exceptions: [{ type: "E", message: "m", stack: "", frames }] });
    expect(said.mapped_frames).toEqual([
      { file: "/app/src/cart.ts", line: 12, generated: { file: "/app/dist/bundle.js", line: 1 } },
    ]);
  });

  it("has the local variables of the error's frames, followed by those of its causes", async () => {
    const own = { file: "/app/src/cart.js", line: 12, function: "total", in_app: true };
    const frames = [
      { ...own, vars: { order: { id: 2 } } },
      { file: "/app/main.js", line: 1, in_app: true },
    ];
    const ofCause = [{ file: "/app/src/stock.js", vars: { sku: "[undefined]" } }];
    const { said } = await failingEvent({
      exceptions: [
        { type: "E", message: "m", stack: "", frames },
        { type: "C", message: "c", stack: "", frames: ofCause, parent: 0 },
      ],
    });
    expect(said.local_variables).toEqual([
      { file: "/app/src/cart.js", line: 12, function: "total", variables: { order: { id: 2 } } },
      { file: "/app/src/stock.js", line: null, function: null, variables: { sku: "[undefined]" } },
    ]);
  });
});
