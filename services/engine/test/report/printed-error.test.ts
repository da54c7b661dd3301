import { describe, expect, it } from "vitest";
import { withoutPrefix } from "../../src/report/printed-error.ts";

describe("an error as it is reported", () => {
  it.each([
    ["19:16:01 [error] hour 8: key not found: :spot", "hour 8: key not found: :spot"],
    ["2026-03-01T10:00:05.120Z ERROR pool is closed", "pool is closed"],
    ["[2026-03-01 10:00:05] warning: pool is closed", "pool is closed"],
  ])("leaves out the time and level of a logger: %s", (message, said) => {
    expect(withoutPrefix({ type: "KeyError", message })).toEqual({ type: "KeyError", message: said });
  });

  it.each(["12:30:00 isn't a time slot", "error in row 3", "19:16:01 errors were counted"])(
    "keeps a message that begins like one: %s",
    (message) => {
      expect(withoutPrefix({ type: "RangeError", message }).message).toBe(message);
    },
  );

  it("has the error's own type rather than how it reached the handler that printed it", () => {
    expect(withoutPrefix({ type: "uncaughtException", message: "RangeError: 3 is too much" })).toEqual({
      type: "RangeError",
      message: "3 is too much",
    });
    expect(withoutPrefix({ type: "uncaughtException", message: "gave up" }).type).toBe("uncaughtException");
  });
});
