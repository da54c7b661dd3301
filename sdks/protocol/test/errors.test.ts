import { describe, expect, it } from "vitest";
import { defineErrors, WhenceError } from "../src/errors.ts";

const errors = defineErrors({
  WHENCE_ERR_TEST_FULL: { status: 413, message: "%s holds %d bytes, and %d more were to be added" },
});

describe("an error of a table", () => {
  it("has its code, its status, and its message with the values in order", () => {
    const cause = new Error("disk");
    const error = errors.create("WHENCE_ERR_TEST_FULL", ["queue", 1, 2], { cause });
    expect(error).toBeInstanceOf(WhenceError);
    expect(error).toMatchObject({ name: "WhenceError", code: "WHENCE_ERR_TEST_FULL", status: 413, cause });
    expect(error.message).toBe("queue holds 1 bytes, and 2 more were to be added");
  });

  it("marks a missing value, and treats a placeholder inside a value as text", () => {
    expect(errors.create("WHENCE_ERR_TEST_FULL", ["%d"]).message).toBe(
      "%d holds %d bytes, and %d more were to be added",
    );
    expect(errors.create("WHENCE_ERR_TEST_FULL").message).toContain("%s holds %d bytes");
  });
});
