import { describe, expect, it } from "vitest";
import { literalInMessage } from "../../../src/signals/code/literal-in-message.ts";

describe("a literal that the error names", () => {
  const at = {
    place: { file: "data/terms.jsonl", line: 1, function: null },
    thrown: null,
    isUnchecked: false,
    isLiteral: true,
  };

  it("is to be checked, since the error may be right about it", () => {
    expect(literalInMessage.link.fix?.({ ...at, value: "valve" })?.title).toBe("Check `valve` at `data/terms.jsonl:1`");
  });

  it.each([
    ["5433", true],
    ["db.internal:5433", true],
    ["/srv/mail", true],
    ["valve", false],
  ])("is to be tried in its environment if it depends on that: %s", (value, isTried) => {
    expect(literalInMessage.link.prevent?.({ ...at, value }) != null).toBe(isTried);
  });
});
