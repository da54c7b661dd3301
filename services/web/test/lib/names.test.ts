import { describe, expect, it } from "vitest";
import { categoryName } from "../../src/lib/category-name.ts";
import { megabytes, sizeName } from "../../src/lib/size-name.ts";

describe("the name of a category", () => {
  it("is its words, capitalized", () => {
    expect(categoryName("null-dereference")).toBe("Null dereference");
    expect(categoryName("timeout")).toBe("Timeout");
    expect(categoryName("")).toBe("");
  });
});

describe("a size in megabytes", () => {
  it.each([
    [0, "0 MB"],
    [1, "1 MB"],
    [1_000_000, "1 MB"],
    [1_000_001, "2 MB"],
  ])("of %d bytes is %s", (bytes, text) => {
    expect(megabytes(bytes)).toBe(text);
  });
});

describe("the name of a size", () => {
  it("rounds up, so that one byte over a limit isn't shown as the limit", () => {
    expect(sizeName(1_048_577)).toBe("1.1 MiB");
    expect(sizeName(10 * 1_048_576 + 1)).toBe("10.1 MiB");
  });

  it("has no unit beyond MiB", () => {
    expect(sizeName(3 * 1_024 ** 3)).toBe("3,072 MiB");
  });
});
