import { describe, expect, it } from "vitest";
import { parseText } from "../../../src/parse/parse.ts";

const codeOf = (line: string): string | undefined =>
  parseText(
    `Traceback (most recent call last):\n  File "/srv/board.py", line 9, in **init**\n    ${line}\nKeyError: 'x'\n`,
  ).exceptions[0]?.frames[0]?.code;

describe("the code of a call", () => {
  it("has its underscores again where Markdown made a name bold", () => {
    expect(codeOf("self.stops = lines.**dict**[name] ** 2")).toBe("self.stops = lines.__dict__[name] ** 2");
  });

  it("keeps the stars of a text", () => {
    expect(codeOf('send("**Error** " + reply)')).toBe('send("**Error** " + reply)');
  });
});

describe("an error named below calls without a title", () => {
  it("isn't named by the log's line above them", () => {
    const text = `ValueError: first
  File "/srv/shop/cart.py", line 9, in total
    return cart["total"]
KeyError: 'total'
`;
    expect(parseText(text).exceptions).toMatchObject([{ type: "KeyError", message: "'total'" }]);
  });
});

describe("a log's line above calls whose end was cut off", () => {
  const typeBelow = (line: string): string | undefined =>
    parseText(
      `${line}\nTraceback (most recent call last):\n  File "/srv/shop/cart.py", line 9, in total\n    pay(cart)\n`,
    ).exceptions[0]?.type;

  it("names their error by an ending that errors have", () => {
    expect(typeBelow("charge failed: shop.errors.StockError('no pens')")).toBe("shop.errors.StockError");
  });

  it("names their error if it says that it was raised", () => {
    expect(typeBelow("Task shop.charge raised unexpected: InsufficientFunds(1200)")).toBe("InsufficientFunds");
  });

  it("names no error by a value", () => {
    expect(typeBelow("retry scheduled: Retry(in=5)")).toBe("Exception");
  });
});
