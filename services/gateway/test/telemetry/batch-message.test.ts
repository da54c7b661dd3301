import { describe, expect, it } from "vitest";
import { readBatchMessage, writeBatchMessage } from "../../src/telemetry/batch-message.ts";
import { batchOf, exceptionEvent, logEvent } from "../batches.ts";

const { events, ...batch } = batchOf([exceptionEvent("total"), logEvent({ seq: 2, message: "two\nlines" })], {
  release: "7",
});
const texts = events.map((event) => JSON.stringify(event));
const frame = { scope_id: "org_1", received_at: "2026-03-01T12:00:00.000Z" };
const readHeader = (header: unknown) => readBatchMessage(JSON.stringify(header));

describe("a message of the telemetry queue", () => {
  it("is read back as it was written, with the text of each event", () => {
    for (const kept of [{}, { retention_days: 7 }]) {
      expect(readBatchMessage(writeBatchMessage({ ...frame, ...kept, batch }, texts))).toEqual({
        message: { ...frame, ...kept, batch: { ...batch, events } },
        eventTexts: texts,
      });
    }
  });

  it("may hold losses alone", () => {
    const lost = { ...batch, dropped: [{ from_seq: 1, to_seq: 2, reason: "closed" as const }] };
    expect(readBatchMessage(writeBatchMessage({ ...frame, batch: lost }, []))).toEqual({
      message: { ...frame, batch: { ...lost, events: [] } },
      eventTexts: [],
    });
  });

  it.each<[string, unknown, string]>([
    ["of no organization", { received_at: frame.received_at, batch }, "body.scope_id: Field required"],
    ["of no time", { scope_id: "org_1", batch }, "body.received_at: Field required"],
    ["kept for no day", { ...frame, retention_days: 0, batch }, "body.retention_days: "],
    ["without a batch", frame, "body.batch: Field required"],
    ["that is a list", [], "body: "],
    ["that is null", null, "body: "],
  ])("%s can never be read, and says why", (_name, header, reason) => {
    expect(readHeader(header)).toEqual({ unreadable: expect.stringContaining(`it is no batch: ${reason}`) });
  });

  it.each([
    ["its first line", "{", "its first line is not JSON"],
    ["an event", `${JSON.stringify({ ...frame, batch })}\n${texts[0]}\n{`, "its event 1 is not JSON"],
  ])("of which %s is not JSON can never be read", (_name, text, reason) => {
    expect(readBatchMessage(text)).toEqual({ unreadable: reason });
  });
});
