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
    [read("replace"), read("id")],
    ["Uncaught TypeError: a.b is not a function", "Uncaught TypeError: c.d is not a function"],
    ["TypeError: 'NoneType' object is not subscriptable", "TypeError: 'NoneType' object is not subscriptable"],
    [
      "TypeError: unsupported operand type(s) for +: 'int' and 'str'",
      "TypeError: unsupported operand type(s) for +: 'int' and 'str'",
    ],
    [
      "panic: interface conversion: interface {} is string, not int",
      "panic: interface conversion: interface {} is string, not int",
    ],
    [
      'java.lang.NullPointerException: Cannot invoke "String.trim()" because "<local1>" is null',
      'java.lang.NullPointerException: Cannot invoke "String.trim()" because "<local1>" is null',
    ],
    ["RangeError: Maximum call stack size exceeded", "RangeError: Maximum call stack size exceeded"],
  ])("isn't similar when only the runtime's words are the same: %s", (left, right) => {
    expect(isSimilarMessage(left, right, false)).toBe(false);
  });

  it("is similar when the runtime names the same thing in both", () => {
    expect(isSimilarMessage(read("total"), read("total"), false)).toBe(true);
  });

  it.each([
    [
      "AttributeError: 'Invoice' object has no attribute 'total'",
      "AttributeError: 'Invoice' object has no attribute 'tax'",
    ],
    ["TypeError: 'Invoice' object is not subscriptable", "TypeError: 'Invoice' object is not subscriptable"],
    ["TypeError: order.lines.map is not a function", "TypeError: order.lines.map is not a function"],
  ])("is similar when the runtime names one thing in both: %s", (left, right) => {
    expect(isSimilarMessage(left, right, false)).toBe(true);
  });

  it("is similar when a program's own words have those of a runtime", () => {
    for (const said of [
      "ShardError: the shard's index out of range of tenant acme",
      "LedgerError: nil pointer dereference was reported by the ledger",
      "com.shop.CartIndexOutOfBoundsException: the cart has no such line",
    ])
      expect(isSimilarMessage(said, said, false), said).toBe(true);
  });

  it("is similar when a program's own words are mostly the same", () => {
    const said = (id: number): string => `LedgerError: the ledger of account ${id} is closed since yesterday`;
    expect(isSimilarMessage(said(7), said(8), false)).toBe(true);
  });
});

it("takes a runtime's message in the same service as similar, whatever it names", () => {
  expect(isSimilarMessage(read("total"), read("currency"), true)).toBe(true);
});
