import { describe, expect, it } from "vitest";
import { readLine } from "../../src/integrations/line-text.ts";

describe("a log line", () => {
  it.each([
    ["pino", '{"level":50,"time":1,"msg":"charge failed","err":{"type":"Error","message":"declined"}}'],
    ["winston", '{"level":"error","message":"charge failed","error":"declined"}'],
    ["slog", '{"time":"2026-03-01T12:00:00Z","level":"ERROR","msg":"charge failed","err":"declined"}'],
    ["ECS", '{"log.level":"error","message":"charge failed","error.message":"declined"}'],
    ["logrus", 'time="2026-03-01T12:00:00Z" level=error msg="charge failed" error=declined'],
  ])("of %s is read with its error's own text", (_, text) => {
    expect(readLine(text)).toEqual({ level: "error", message: "charge failed: declined" });
  });

  it.each([
    ["2026-03-01 12:00:00 ERROR [main] charge failed", "error"],
    ["[warn] slow query", "warn"],
    ["connection refused", null],
    [`GET /orders 200 ${"x".repeat(120)} error`, null],
  ])("that is text has the level that it begins with: %s", (text, level) => {
    expect(readLine(text)).toEqual({ level, message: text });
  });

  it("that is only a part of JSON, or JSON without a message, is kept", () => {
    expect(readLine('{"level":"error"')).toMatchObject({ message: '{"level":"error"' });
    expect(readLine('{"level":"error","code":7}')).toEqual({ level: "error", message: '{"level":"error","code":7}' });
    expect(readLine('{"message":7,"level":[]}')).toEqual({ level: null, message: '{"message":7,"level":[]}' });
  });
});
