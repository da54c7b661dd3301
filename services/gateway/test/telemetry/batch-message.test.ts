import { describe, expect, it } from "vitest";
import { readBatchMessage } from "../../src/telemetry/batch-message.ts";
import { batchOf, exceptionEvent, logEvent } from "../batches.ts";

const batch = batchOf([exceptionEvent("total"), logEvent({ seq: 2 })], { release: "7" });
const frame = { scope_id: "org_1", received_at: "2026-03-01T12:00:00.000Z" };
const read = (message: unknown) => readBatchMessage(JSON.stringify(message));

describe("a message of the telemetry queue", () => {
  it("is read back as it was written", () => {
    expect(read({ ...frame, batch })).toMatchObject({ message: { ...frame, batch } });
    expect(read({ ...frame, retention_days: 7, batch })).toMatchObject({
      message: { ...frame, retention_days: 7, batch },
    });
  });

  it("has the defaults that its batch left out, and nothing that nobody knows", () => {
    const { service: _service, env: _env, ...bare } = batch;
    const read_ = read({ ...frame, later: 1, batch: { ...bare, later: 1, events: [{ ...logEvent(), later: 1 }] } });
    expect(read_).toMatchObject({ message: { batch: { service: "default", env: "PROD" } } });
    expect(JSON.stringify(read_)).not.toContain("later");
  });

  it.each<[string, unknown, string]>([
    ["of nobody", { received_at: frame.received_at, batch }, "body.scope_id: Field required"],
    ["of no time", { scope_id: "org_1", batch }, "body.received_at: Field required"],
    ["kept for no day", { ...frame, retention_days: 0, batch }, "body.retention_days: "],
    ["with a bad event", { ...frame, batch: batchOf([{ ...logEvent(), seq: 0 }]) }, "body.batch.events.0.seq: "],
    ["without a batch", frame, "body.batch: Field required"],
    ["that is a list", [], "body: "],
    ["that is null", null, "body: "],
  ])("%s can never be read, and says why", (_name, message, reason) => {
    expect(read(message)).toEqual({ unreadable: expect.stringContaining(`it is no batch: ${reason}`) });
  });

  it("that is not JSON can never be read", () => {
    expect(readBatchMessage("{")).toEqual({ unreadable: "it is not JSON" });
  });
});
