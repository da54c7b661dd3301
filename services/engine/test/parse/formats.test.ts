import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseText } from "../../src/parse/parse.ts";
import { describeParsed } from "./printed-errors.ts";

const fixtures = join(import.meta.dirname, "../formats");
const formats = readdirSync(fixtures);

describe.each(formats)("what is printed as %s", (format) => {
  const cases = readdirSync(join(fixtures, format)).filter((file) => file.endsWith(".txt"));

  it.each(cases)("is parsed: %s", (file) => {
    const text = readFileSync(join(fixtures, format, file), "utf8");
    const expected: unknown = JSON.parse(readFileSync(join(fixtures, format, file.replace(/txt$/, "json")), "utf8"));
    expect(describeParsed(parseText(text))).toEqual(expected);
  });

  it.each(cases)("is quoted from its position: %s", (file) => {
    const text = readFileSync(join(fixtures, format, file), "utf8");
    for (const { frames, printed } of parseText(text).exceptions) {
      expect(printed.end).toBeGreaterThan(printed.start);
      for (const { line, printed: place } of frames) {
        const quoted = text.slice(place?.start, place?.end);
        // UTF-16 read as bytes has a NUL between any two digits.
        if (line !== null) expect(quoted.replaceAll("\0", "")).toContain(String(line));
      }
    }
  });
});
