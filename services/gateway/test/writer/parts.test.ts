import { describe, expect, it } from "vitest";
import { type KeptSpan, readBatchMessage, writeBatchMessage } from "../../src/telemetry/batch-message.ts";
import { partOf, rowsOf } from "../../src/writer/parts.ts";
import { batchOf, logEvent } from "../batches.ts";

const span: KeptSpan = {
  ...{ trace_id: "1".repeat(32), span_id: "2".repeat(16), parent_id: "", kind: "server" },
  ...{ at: "2026-03-01T12:00:00.000Z", duration_ms: 12, name: "GET /", category: "http", method: "GET" },
  ...{ target: "/", peer: "", status_code: 500, error: "", weight: 1 },
};
const dropped = [{ from_seq: 7, to_seq: 9, reason: "queue_full" as const }];

describe("a batch that the store refuses in part", () => {
  const batch = { ...batchOf([logEvent(), logEvent()]), dropped, spans: [span, span] };
  const header = { scope_id: "org_1", received_at: "2026-03-01T12:00:00.000Z" };
  const body = writeBatchMessage(header, JSON.stringify(batch));
  const settled = async (): Promise<void> => undefined;
  const delivery = { id: "d", body, attempt: 1, ack: settled, retry: settled, bury: settled, extend: settled };
  const nothing = { dropped: [], losses: null, spans: [], failures: null, differing: 0 };
  const rows = rowsOf({ delivery, prepared: { count: 0, rows: Buffer.alloc(0) }, ...nothing });

  it("has a row for each event, one for what was dropped, and one for all of its spans", () => {
    expect(rows.map(({ kept }) => Object.keys(kept).filter((name) => /^(event|dropped|spans)$/.test(name)))).toEqual([
      ...[["event"], ["event"], ["dropped"], ["spans"]],
    ]);
  });

  it("is put back row by row, each with what it holds and nothing else", () => {
    const parts = rows.map((row) => {
      const message = partOf(row, [row]);
      const read = readBatchMessage(message.body);
      if ("unreadable" in read) throw new Error(read.unreadable);
      const { events, dropped: losses = [], spans = [] } = read.batch;
      return { id: message.id, counts: [events.length, losses.length, spans.length] };
    });
    expect(parts.map(({ counts }) => counts)).toEqual([
      ...[
        [1, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 2],
      ],
    ]);
    expect(new Set(parts.map(({ id }) => id)).size).toBe(4);
  });
});
