import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromPostgresText, toPostgresText } from "../../src/control/databases/postgres-text.ts";

/** Text in which the two characters that matter, and those that stand for them, are common. */
const text = fc.string({ unit: fc.oneof(fc.constantFrom("\0", "\uFDD0", "0", "1"), fc.string({ maxLength: 1 })) });

describe("text for PostgreSQL", () => {
  it("contains no NUL, and is read back as it was", () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(toPostgresText(given)).not.toContain("\0");
        expect(fromPostgresText(toPostgresText(given))).toBe(given);
      }),
      { numRuns: 1_000 },
    );
  });

  it("is the same text when there is nothing to change", () => {
    expect(toPostgresText("a stack trace, ünï€ 🜁")).toBe("a stack trace, ünï€ 🜁");
  });
});
