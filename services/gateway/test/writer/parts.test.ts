import { describe, expect, it } from "vitest";
import {
  type KeptMeasure,
  type KeptReading,
  type KeptSessions,
  type KeptSpan,
  readBatchMessage,
  writeBatchMessage,
} from "../../src/telemetry/batch-message.ts";
import { joined } from "../../src/writer/beside-events.ts";
import { isEvent, partOf, rowsOf } from "../../src/writer/parts.ts";
import { batchOf, logEvent } from "../batches.ts";

const span: KeptSpan = {
  ...{ trace_id: "1".repeat(32), span_id: "2".repeat(16), parent_id: "", kind: "server" },
  ...{ at: "2026-03-01T12:00:00.000Z", duration_ms: 12, name: "GET /", category: "http", method: "GET" },
  ...{ target: "/", peer: "", status_code: 500, error: "", weight: 1 },
};
const reading: KeptReading = {
  ...{ at: "2026-03-01T12:00:00.000Z", rss_bytes: 7, heap_used_bytes: 0, heap_limit_bytes: 0 },
  ...{ event_loop_delay_ms: 0, cpu: 0, pool: null },
};
const measure: KeptMeasure = {
  ...{ kind: "route", name: "GET /", series: "1", failed: false, counting: "total", since: null },
  ...{ at: "2026-03-01T12:00:00.000Z", value: 3 },
};
const sessions: KeptSessions = { id: "1", at: "2026-03-01T12:00:00.000Z", sessions: 3, crashed: 1, unhandled: 1 };
const dropped = [{ from_seq: 7, to_seq: 9, reason: "queue_full" as const }];

describe("a batch that the store refuses in part", () => {
  const beside = { spans: [span, span], readings: [reading], measures: [measure, measure], sessions: [sessions] };
  const batch = { ...batchOf([logEvent(), logEvent()]), dropped, ...beside };
  const header = { scope_id: "org_1", received_at: "2026-03-01T12:00:00.000Z" };
  const body = writeBatchMessage(header, JSON.stringify(batch));
  const settled = async (): Promise<void> => undefined;
  const delivery = { id: "d", body, attempt: 1, ack: settled, retry: settled, bury: settled, extend: settled };
  const nothing = { dropped: [], losses: null, beside: joined([]), failures: null, differing: 0 };
  const rows = rowsOf({ delivery, prepared: { count: 0, rows: Buffer.alloc(0) }, ...nothing });

  it("has a row for each event, one for what was dropped, and one for each span, reading, measure, and group of sessions", () => {
    const kinds = rows.map(({ kept }) => ("name" in kept ? kept.name : isEvent(kept) ? "event" : "dropped"));
    expect(kinds).toEqual([
      ...["event", "event", "dropped", "spans", "spans", "readings", "measures", "measures", "sessions"],
    ]);
  });

  it("is put back row by row, each with what it holds and nothing else", () => {
    const parts = rows.map((row) => {
      const message = partOf(row, [row]);
      const read = readBatchMessage(message.body);
      if ("unreadable" in read) throw new Error(read.unreadable);
      const {
        events,
        dropped: losses = [],
        spans = [],
        readings = [],
        measures = [],
        sessions: some = [],
      } = read.batch;
      return {
        id: message.id,
        counts: [events.length, losses.length, spans.length, readings.length, measures.length, some.length],
      };
    });
    expect(parts.map(({ counts }) => counts)).toEqual([
      ...[
        [1, 0, 0, 0, 0, 0],
        [1, 0, 0, 0, 0, 0],
        [0, 1, 0, 0, 0, 0],
        [0, 0, 1, 0, 0, 0],
        [0, 0, 1, 0, 0, 0],
        [0, 0, 0, 1, 0, 0],
        [0, 0, 0, 0, 1, 0],
        [0, 0, 0, 0, 1, 0],
        [0, 0, 0, 0, 0, 1],
      ],
    ]);
    expect(new Set(parts.map(({ id }) => id)).size).toBe(9);
  });
});
