import { describe, expect, it } from "vitest";
import { type LogLine, repeatedLines } from "../../src/integrations/repeated-lines.ts";
import { question } from "./question.ts";

const line = (message: string, at: string, more: Partial<LogLine> = {}): LogLine => ({
  ...{ level: "error", message, source: "orders", at: `2026-03-01T${at}Z`, url: null },
  ...more,
});
const reported = (lines: readonly LogLine[]) =>
  repeatedLines("Acme", lines, question).map((finding) =>
    finding.kind === "log" ? `${finding.count} ${finding.level} ${finding.message}` : finding.kind,
  );

describe("log lines", () => {
  it.each([
    ["numbers", "took 12 ms", "took 3450 ms"],
    ["UUIDs", "order 3f2b8c1e-5a7d-4e9b-8f61-0c2d4e6f8a10 lost", "order 9d1e2f3a-4b5c-4d7e-8f90-a1b2c3d4e5f6 lost"],
    ["ids", "trace 4bf92f3577b34da6a3ce929d0e0e4736", "trace 00f067aa0ba902b7aaf8c2d4e6f8a101"],
  ])("that differ in %s are merged into one with a count, closest to the failure", (_, far, near) => {
    expect(reported([line(far, "11:30:00"), line(near, "11:59:59"), line(far, "11:40:00")])).toEqual([
      `3 error ${near}`,
    ]);
  });

  it("that differ in their words, their level, or their source aren't counted together", () => {
    const lines = [line("a", "12:00:00"), line("b", "12:00:00"), line("a", "12:00:00", { level: "warn" })];
    expect(reported([...lines, line("a", "12:00:00", { source: "payments" })])).toHaveLength(4);
  });

  it("that quote the failure's own error come first, then the most severe, then the closest in time", () => {
    const lines = [
      line("slow", "12:00:00", { level: "warning" }),
      line("far", "11:10:00"),
      line("near", "12:00:01"),
      line("down", "11:00:00", { level: "FATAL" }),
      line("TypeError: Cannot read properties of undefined (reading 'amount')", "11:00:00", { level: "warn" }),
    ];
    expect(reported(lines).map((text) => text.split(" ").at(-1))).toEqual(["'amount')", "down", "near", "far", "slow"]);
  });

  it("without text, or whose level says that nothing is wrong, are left out", () => {
    const lines = ["info", "DEBUG", "trace"].map((level) => line("no error", "12:00:00", { level }));
    expect(reported([...lines, line(" \n", "12:00:00")])).toEqual([]);
  });
});
