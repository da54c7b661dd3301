import { expect, it } from "vitest";
import { parseText } from "../../src/parse/parse.ts";

it("reads a backtrace of Ruby that a logger joined into one line, with the error in the record above", () => {
  const { exceptions } = parseText(`2026-03-01T10:00:00Z worker WARN: ZeroDivisionError: divided by 0
2026-03-01T10:00:00Z worker WARN: /app/score.rb:15:in \`/' | /app/score.rb:15:in \`mean' | app/worker.rb:19:in \`<main>'
`);
  expect(exceptions).toMatchObject([{ type: "ZeroDivisionError", message: "divided by 0" }]);
  expect(exceptions[0]?.frames.map(({ file, line }) => `${file}:${line}`)).toEqual([
    "/app/score.rb:15",
    "/app/score.rb:15",
    "app/worker.rb:19",
  ]);
});
