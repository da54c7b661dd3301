import { describe, expect, it } from "vitest";
import { titleOf } from "../../src/analysis/title.ts";

describe("the title of an error text", () => {
  it("is the error, not the line above it", () => {
    const log =
      "2026-03-01 10:00:00 INFO server started\nserver.js:7\nTypeError: x is not a function\n    at f (a.js:1:1)\n";
    expect(titleOf(log)).toBe("TypeError: x is not a function");
  });

  it("is the error at the end of a long log", () => {
    expect(titleOf(`${"a line of no weight\n".repeat(3_000)}Error: late\n    at f (a.js:1:1)\n`)).toBe("Error: late");
  });

  it("is the last line of a Python traceback, which names the error", () => {
    const log =
      'Traceback (most recent call last):\n  File "/srv/a.py", line 4, in f\n    return d["k"]\nKeyError: \'k\'\n';
    expect(titleOf(log)).toBe("KeyError: 'k'");
  });

  it("is the error of several whose code was given, as the report is about it", () => {
    const log = "Error: first\n    at f (/srv/lib/a.js:1:1)\n\nError: second\n    at g (/srv/lib/b.js:1:1)\n";
    expect(titleOf(log, [{ name: "lib/b.js" }])).toBe("Error: second");
    expect(titleOf(log, [{ name: "lib/a.js" }])).toBe("Error: first");
  });

  it("is what an alert is about", () => {
    const alert = {
      status: "firing",
      labels: { alertname: "HighErrorRate" },
      annotations: { summary: "5% of orders fail" },
    };
    const sent = {
      version: "4",
      status: "firing",
      receiver: "ops",
      alerts: [{ ...alert, startsAt: "2026-03-01T10:00:00Z" }],
    };
    expect(titleOf(JSON.stringify(sent))).toBe("5% of orders fail");
  });

  it("is the first line that isn't blank, without colors, where no error was recognized", () => {
    expect(titleOf("\n  \n\u001b[31mTypeError: x\u001b[39m\n    at f (a.js:1:1)")).toBe("TypeError: x");
  });

  it("keeps 200 characters and marks where a longer line was truncated", () => {
    expect(titleOf("x".repeat(200))).toBe("x".repeat(200));
    expect(titleOf("x".repeat(201))).toBe(`${"x".repeat(199)}…`);
  });

  it("says that there is no text", () => {
    expect(titleOf(" \n\t\n")).toBe("Empty error text");
  });
});
