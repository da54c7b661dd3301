import { describe, expect, it } from "vitest";
import { identifiersIn, rarityOf, sharedWords } from "../../src/rank/words.ts";

describe("the identifiers of a text", () => {
  it("are its names as written, without keywords and names of two letters", () => {
    expect([...identifiersIn("const fooBar = await load(id, fooBar, Undefined)")]).toEqual(["fooBar", "load"]);
  });
});

describe("the rarity of a word", () => {
  const files = [new Set(["tax", "order"]), new Set(["order"]), new Set(["order", "cart"]), new Set(["order"])];

  it("is 1 when one file has it, 0 when all have it or none", () => {
    expect(["tax", "order", "price"].map((word) => rarityOf(word, files))).toEqual([1, 0, 0]);
  });

  it("is lower the more files have it", () => {
    const more = [...files, new Set(["cart"]), new Set(["cart"])];
    expect(rarityOf("cart", more)).toBeLessThan(rarityOf("tax", more));
  });

  it("is 1 in the only file", () => {
    expect(rarityOf("tax", [new Set(["tax"])])).toBe(1);
  });
});

describe("the shared words", () => {
  const rarity = (word: string) => ({ tax: 1, cart: 0.5, order: 0 })[word] ?? 0;

  it("are the telling part of the wanted words", () => {
    expect(sharedWords(new Set(["tax", "cart", "order"]), new Set(["tax", "order"]), rarity)).toBeCloseTo(2 / 3);
  });

  it("are empty when no wanted word is telling", () => {
    expect(sharedWords(new Set(["order"]), new Set(["order"]), rarity)).toBe(0);
    expect(sharedWords(new Set(), new Set(["tax"]), rarity)).toBe(0);
  });
});
