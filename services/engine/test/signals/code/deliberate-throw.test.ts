import { describe, expect, it } from "vitest";
import { deliberateThrow } from "../../../src/signals/code/deliberate-throw.ts";
import { investigated, textSubject } from "../../investigated.ts";

const files = {
  "shop/checks.py": "def refuse():\n    raise ValueError('a total below zero')\n",
  "shop/orders.py":
    "from shop.checks import refuse\n\n\ndef place(order):\n    if order.total < 0:\n        refuse()\n    return order\n",
};
const log = `Traceback (most recent call last):
  File "/app/shop/orders.py", line 6, in place
    refuse()
  File "/app/shop/checks.py", line 2, in refuse
    raise ValueError('a total below zero')
ValueError: a total below zero
`;

describe("the call of a function that only throws", () => {
  it("isn't said to throw", async () => {
    const { report } = await investigated(textSubject(log, files));
    const said = JSON.stringify(report);
    expect(said).toContain("`place` (`shop/orders.py:6`) makes the call that fails when `order.total < 0`");
    expect(said).not.toContain("`place` (`shop/orders.py:6`) throws");
  });
});

describe("a throw whose message was changed afterwards", () => {
  it("is said to have become the error, with what was put before its message", () => {
    const thrown = { type: "Error", message: "shelves: unknown crate Z9" };
    const place = { file: "src/shelf.js", line: 2, function: "look" };
    const args = {
      condition: "!shelf.has(crate)",
      isTrue: true,
      prefix: "shelves:",
      place,
      thrown,
      isUnchecked: false,
    };
    expect(deliberateThrow.link.what(args)).toBe(
      "`look` (`src/shelf.js:2`) throws what became `shelves: unknown crate Z9` when `!shelf.has(crate)`",
    );
    expect(deliberateThrow.link.fix?.(args)?.detail).toMatch(
      /Something caught the error and put `shelves:` before its message\.$/,
    );
  });
});
