import { describe, expect, it } from "vitest";
import { parseText } from "../../../src/parse/parse.ts";

describe("calls of an error tracker without a title", () => {
  it("aren't what a spelling checker prints", () => {
    expect(parseText("src/a.ts:9:5 - Unknown word (foo)\nsrc/a.ts:12:5 - Unknown word (bar)\n").exceptions).toEqual([]);
  });

  it.each(["total", "block (2 levels) in total", "-[Cart total:]", "Cart.total [as sum]", "new Cart", "[anonymous]"])(
    "are calls of one function each: %s",
    (name) => {
      const [error] = parseText(`src/a.ts:9:5 - ${name}\nsrc/a.ts:12:5 - show\n`).exceptions;
      expect(error?.frames).toHaveLength(2);
    },
  );
});
