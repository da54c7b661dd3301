import { describe, expect, it } from "vitest";
import { isSimilarMessage } from "../../src/collectors/similar-message.ts";

const read = (name: string): string => `TypeError: Cannot read properties of undefined (reading '${name}')`;

describe("a message of another service", () => {
  it.each([
    [read("total"), read("currency")],
    ["TypeError: order.lines.map is not a function", "TypeError: page.rows.map is not a function"],
    [
      "AttributeError: 'NoneType' object has no attribute 'name'",
      "AttributeError: 'NoneType' object has no attribute 'zip'",
    ],
    [
      "panic: runtime error: index out of range [3] with length 3",
      "panic: runtime error: index out of range [7] with length 7",
    ],
    [
      "panic: runtime error: invalid memory address or nil pointer dereference",
      "panic: runtime error: invalid memory address or nil pointer dereference",
    ],
  ])("isn't similar when only the runtime's words are the same: %s", (left, right) => {
    expect(isSimilarMessage(left, right, false)).toBe(false);
  });

  it("is similar when the runtime names the same thing in both", () => {
    expect(isSimilarMessage(read("total"), read("total"), false)).toBe(true);
  });

  it("is similar when a program's own words are mostly the same", () => {
    const said = (id: number): string => `LedgerError: the ledger of account ${id} is closed since yesterday`;
    expect(isSimilarMessage(said(7), said(8), false)).toBe(true);
  });
});

it("takes a runtime's message in the same service as similar, whatever it names", () => {
  expect(isSimilarMessage(read("total"), read("currency"), true)).toBe(true);
});
