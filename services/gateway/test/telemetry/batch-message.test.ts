import { gzipSync } from "node:zlib";
import { limits } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { readBatchMessage, writeBatchMessage, writePackedMessage } from "../../src/telemetry/batch-message.ts";
import { batchOf, exceptionEvent, logEvent } from "../batches.ts";

const batch = batchOf([exceptionEvent("total"), logEvent({ seq: 2, message: "two\nlines" })], { release: "7" });
const header = { scope_id: "org_1", received_at: "2026-03-01T12:00:00.000Z" };

describe("a message of the telemetry queue", () => {
  it.each([
    ["in one line", JSON.stringify(batch)],
    ["in many", JSON.stringify(batch, null, 2)],
  ])("is read back as written, its batch %s", (_, text) => {
    for (const kept of [header, { ...header, retention_days: 7 }]) {
      expect(readBatchMessage(writeBatchMessage(kept, text))).toEqual({ ...kept, batch });
    }
  });

  it("is read back from gzip in one part or many", () => {
    const text = JSON.stringify(batch);
    const pieces = [text.slice(0, 40), text.slice(40)].map((piece) => gzipSync(piece));
    for (const packed of [gzipSync(text), Buffer.concat(pieces)]) {
      expect(readBatchMessage(writePackedMessage(header, packed))).toEqual({ ...header, batch });
    }
  });

  it("is unpacked up to the gateway's limit, and no further", () => {
    const packed = (bytes: number) => writePackedMessage(header, gzipSync(`"${" ".repeat(bytes - 2)}"`));
    expect(readBatchMessage(packed(limits.batchUnpackedBytesMax))).toHaveProperty("batch");
    const beyond = readBatchMessage(packed(limits.batchUnpackedBytesMax + 1));
    expect(beyond).toEqual({ unreadable: "its batch is not gzip" });
  });

  it.each<[string, unknown, string]>([
    ["of no organization", { received_at: header.received_at }, "body.scope_id: Field required"],
    ["of no time", { scope_id: "org_1" }, "body.received_at: Field required"],
    ["kept for no day", { ...header, retention_days: 0 }, "body.retention_days: "],
    ["that is a list", [], "body: "],
    ["that is null", null, "body: "],
  ])("%s can never be read, with a reason", (_name, first, reason) => {
    const text = `${JSON.stringify(first)}\n${JSON.stringify(batch)}`;
    expect(readBatchMessage(text)).toEqual({ unreadable: expect.stringContaining(`it is no batch: ${reason}`) });
  });

  it.each([
    ["the end of its first line", "{", "it is not JSON"],
    ["a batch", JSON.stringify(header), "its batch is not JSON"],
    ["gzip where it says so", writePackedMessage(header, Buffer.from("no gzip")), "its batch is not gzip"],
    ["the end of its gzip", writePackedMessage(header, gzipSync("{}").subarray(0, -4)), "its batch is not gzip"],
    ["the end of its packed batch", writePackedMessage(header, gzipSync('{"events":[')), "its batch is not JSON"],
    ["the end of its batch", writeBatchMessage(header, '{"events":['), "its batch is not JSON"],
  ])("without %s can never be read", (_name, text, reason) => {
    expect(readBatchMessage(text)).toEqual({ unreadable: expect.stringContaining(reason) });
  });
});
