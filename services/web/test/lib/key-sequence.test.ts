import { describe, expect, it } from "vitest";
import { keySequence, sequenceMs } from "../../src/lib/key-sequence.ts";

describe("a pressed key", () => {
  it("stands for itself when it is the first", () => {
    expect(keySequence(null, { name: "i", at: 0 })).toBe("i");
  });

  it("stands for the sequence alone when g was pressed just before", () => {
    expect(keySequence({ name: "g", at: 0 }, { name: "i", at: sequenceMs - 1 })).toBe("g i");
  });

  it("stands for itself when g was pressed too long ago", () => {
    expect(keySequence({ name: "g", at: 0 }, { name: "i", at: sequenceMs })).toBe("i");
  });

  it("stands for itself after any other key", () => {
    expect(keySequence({ name: "j", at: 0 }, { name: "e", at: 1 })).toBe("e");
  });
});
