import { describe, expect, it } from "vitest";
import { countedLines, type LogFinding } from "../../src/integrations/log-lines.ts";

const line = (message: string, at: string): LogFinding => ({
  ...{ kind: "log", vendor: "Acme", level: "error", source: "orders" },
  ...{ message, at, count: 1, url: null },
});

describe("log lines of a vendor", () => {
  it("are counted when they are equal, with the time closest to the failure", () => {
    const lines = [
      line("timed out", "2026-03-01T11:10:00.000Z"),
      line("timed out", "2026-03-01T11:59:00.000Z"),
      line("timed out", "2026-03-01T12:04:00.000Z"),
      line("refused", "2026-03-01T11:59:30.000Z"),
    ];
    expect(countedLines(lines, "2026-03-01T12:00:00.000Z")).toEqual([
      line("refused", "2026-03-01T11:59:30.000Z"),
      { ...line("timed out", "2026-03-01T11:59:00.000Z"), count: 3 },
    ]);
  });

  it("from another source or of another level stay separate", () => {
    const other = { ...line("timed out", "2026-03-01T11:10:00.000Z"), source: "payments" };
    const warning = { ...line("timed out", "2026-03-01T11:10:00.000Z"), level: "warn" };
    expect(countedLines([line("timed out", "2026-03-01T11:10:00.000Z"), other, warning], question.at)).toHaveLength(3);
  });
});

const question = { at: "2026-03-01T12:00:00.000Z" };
