import { describe, expect, it } from "vitest";
import { keySequences, sequenceMs } from "../../src/lib/key-sequence.ts";

describe("a pressed key", () => {
  it("stands for itself when it is the first", () => {
    expect(keySequences(null, { name: "i", at: 0 })).toEqual(["i"]);
  });

  it("stands for the sequence first when another was pressed just before", () => {
    expect(keySequences({ name: "g", at: 0 }, { name: "i", at: sequenceMs - 1 })).toEqual(["g i", "i"]);
  });

  it("stands for itself when the other was pressed too long ago", () => {
    expect(keySequences({ name: "g", at: 0 }, { name: "i", at: sequenceMs })).toEqual(["i"]);
  });

  it("starts a sequence with itself when it is pressed twice", () => {
    expect(keySequences({ name: "g", at: 0 }, { name: "g", at: 1 })).toEqual(["g g", "g"]);
  });
});
