import { describe, expect, it } from "vitest";
import { badValue } from "../../../src/signals/code/bad-value.ts";

const place = { file: "src/anneal.js", line: 3, function: "anneal" };
const read = { was: "null", use: "read", member: "hold", place, thrown: null, isUnchecked: false } as const;

it("says that a parameter was destructured from what is missing, rather than that its pattern is", () => {
  const said = badValue.link.what({ ...read, expression: "{ hold = 60 }" });
  expect(said).toBe("`anneal` (`src/anneal.js:3`) destructures `{ hold = 60 }` from a value that is `null`");
  expect(badValue.link.what({ ...read, expression: "program" })).toContain(
    "reads `hold` of `program`, which is `null`",
  );
});

describe("an operand", () => {
  const value = { expression: "cup.grams -= grams", operand: "grams", use: "operand", member: null } as const;
  const seen = { place, thrown: null, isUnchecked: false };

  it("is what is said to be missing, not the whole expression", () => {
    const args = { ...value, was: "nil", ...seen };
    expect(badValue.link.what(args)).toContain("evaluates `cup.grams -= grams`, where `grams` is `nil`");
    expect(badValue.link.fix?.(args)?.title).toContain("Find out why `grams` is `nil`");
    expect(badValue.link.prevent?.(args)?.title).toBe("Add a test in which `grams` is `nil`");
  });

  it("is said together with the other's type if the error prints both", () => {
    expect(badValue.link.what({ ...value, was: "str or int", ...seen })).toContain(
      "finds the types `str` and `int` in",
    );
  });
});

describe("the remedy", () => {
  const remedyOf = (args: Parameters<typeof badValue.link.what>[0]) => badValue.link.fix?.(args);

  it("for a missing key names the key", () => {
    const args = { ...read, expression: "kinds", use: "element", was: "RIB", member: "RIB" } as const;
    expect(remedyOf(args)).toMatchObject({
      title: expect.stringContaining("Find out why `kinds` has no `RIB`"),
      detail: expect.stringContaining("where `kinds` is filled"),
    });
  });

  it("for a missing member names the member and the type", () => {
    expect(remedyOf({ ...read, expression: "lot", was: "Lot", member: "zone" })).toMatchObject({
      title: expect.stringContaining("Find out why `lot` has no `zone`"),
      detail: expect.stringContaining("or `Lot` should have it"),
    });
    expect(remedyOf({ ...read, expression: "lot", was: "float", member: "zone" })?.detail).toBe(
      "It is of type `float`, which has none. Convert it, or look at where it is set.",
    );
  });

  it("for a bound that is outside says what is wrong with it", () => {
    const args = { ...read, expression: "width", use: "argument", was: "out of bounds", member: "substring" } as const;
    expect(remedyOf(args)?.detail).toContain("below zero, or not less than the length");
  });

  it("for a range in the wrong order isn't about the length", () => {
    const remedy = remedyOf({ ...read, expression: "rows", use: "element", was: "reversed bounds" });
    expect(remedy?.detail).toContain("exchanged arguments");
    expect(remedy?.detail).not.toContain("length");
  });

  it("for a search that found nothing is what is searched", () => {
    const found = { ...read, expression: "hooks.find((one) => one.ticket === null)", was: "undefined" };
    expect(remedyOf({ ...found, member: "ticket" })?.detail).toContain("what is searched, and for what");
    expect(remedyOf({ ...found, expression: "hook", member: "ticket" })?.detail).not.toContain("searched");
  });
});
