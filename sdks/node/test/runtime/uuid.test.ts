import { describe, expect, it } from "vitest";
import { randomHex, uuidv7 } from "../../src/runtime/uuid.ts";

describe("an event id", () => {
  it("is a UUID of version 7 that starts with its time", () => {
    const id = uuidv7(0x0123456789ab);
    expect(id).toMatch(/^01234567-89ab-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("is unique within a millisecond, beyond one draw of random bytes", () => {
    const ids = Array.from({ length: 1_000 }, () => uuidv7(1));
    expect(new Set(ids).size).toBe(1_000);
  });
});

describe("random bytes", () => {
  it("are two hex digits each", () => {
    expect(randomHex(16)).toMatch(/^[0-9a-f]{32}$/);
  });
});
