import { describe, expect, it } from "vitest";
import { failing } from "../failing.ts";
import { type Files, stepsOf, traced } from "../signals-in.ts";

/** Whether tracing says that the function which begins on the first line returns nothing. */
async function returnsNothing(files: Files): Promise<boolean> {
  const [file = ""] = Object.keys(files);
  const { signals } = await traced(failing(files).log, files);
  return stepsOf(signals).includes(`returns-nothing ${file}:1`);
}

const javascript = (body: string): Files => ({ "show.js": `function find(id) {\n${body}\n}\nfind(1).id;\n` });
const python = (body: string): Files => ({ "show.py": `def find(id):\n${body}\nfind(1).id\n` });
const ruby = (body: string): Files => ({ "show.rb": `def find(id)\n${body}\nend\nfind(1).id\n` });

describe("a function that can end without a value", () => {
  it.each([
    ["an `if` without `else`", javascript("  if (id) return {};")],
    ["a `switch` without a default", javascript("  switch (id) {\n    case 1:\n      return {};\n  }")],
    [
      "a loop that may find nothing",
      javascript("  for (const one of rows) {\n    if (one.key === id) return one;\n  }"),
    ],
    ["a `break` out of an endless loop", javascript("  for (;;) {\n    if (id) break;\n  }")],
    ["a labeled `break`", javascript("  out: for (;;) {\n    for (const one of rows) {\n      break out;\n    }\n  }")],
    ["a handled error", javascript("  try {\n    return {};\n  } catch (error) {\n    log(error);\n  }")],
    ["a value that only a callback returns", javascript("  rows.forEach((one) => {\n    return one;\n  });")],
    ["a loop in Python", python("    for one in rows:\n        if one.key == id:\n            return one")],
    [
      "a `break` in the `else` of an inner loop in Python",
      python("    while True:\n        for one in rows:\n            log(one)\n        else:\n            break"),
    ],
    ["a handled error in Python", python("    try:\n        return Row()\n    except KeyError:\n        log(id)")],
    ["an `if` in Ruby", ruby("  Row.new if id")],
    ["a `case` without `else` in Ruby", ruby("  case id\n  when 1 then Row.new\n  end")],
    ["no statement in Ruby", ruby("")],
  ])("returns nothing: %s", async (_, files) => {
    expect(await returnsNothing(files)).toBe(true);
  });

  it.each([
    ["each branch returns", javascript("  if (id) return {};\n  else return [];")],
    ["a `throw` ends it", javascript("  if (id) return {};\n  throw new Error('none');")],
    [
      "a default throws",
      javascript("  switch (id) {\n    case 1:\n      return {};\n    default:\n      throw id;\n  }"),
    ],
    ["the handler throws", javascript("  try {\n    return {};\n  } catch (error) {\n    throw error;\n  }")],
    ["it returns and cleans up", javascript("  try {\n    return {};\n  } finally {\n    close();\n  }")],
    ["a loop has no end", javascript("  while (true) {\n    if (next()) return {};\n  }")],
    ["a loop has no condition", javascript("  for (;;) {\n    if (next()) return {};\n  }")],
    ["an endless loop goes on", javascript("  while (true) {\n    if (!next()) continue;\n    return {};\n  }")],
    [
      "a `break` leaves a `switch` in an endless loop",
      javascript(
        "  while (true) {\n    switch (next()) {\n      case 1:\n        break;\n      default:\n        return {};\n    }\n  }",
      ),
    ],
    ["a loop in Python has no end", python("    while True:\n        if ready():\n            return Row()")],
    [
      "a `break` leaves an inner loop with an `else` in Python",
      python("    while True:\n        for one in rows:\n            break\n        else:\n            return Row()"),
    ],
    ["a block in Python returns", python("    with lock:\n        return Row()")],
    [
      "each case in Python ends it",
      python(
        "    match id:\n        case 1:\n            return Row()\n        case _:\n            raise KeyError(id)",
      ),
    ],
    ["each branch in Ruby has a value", ruby("  if id\n    Row.new\n  else\n    Row.other\n  end")],
    ["each case in Ruby has a value", ruby("  case id\n  when 1 then Row.new\n  else Row.other\n  end")],
  ])("doesn't when %s", async (_, files) => {
    expect(await returnsNothing(files)).toBe(false);
  });
});

describe("the name of the function that threw", () => {
  const thrown = "throw new Error('no price')";
  const javascriptLog = (line: number) => `Error: no price\n    at shown (/srv/cart.js:${line}:9)\n`;
  const nameIn = async (log: string, files: Files): Promise<string | null | undefined> =>
    (await traced(log, files)).signals.find(({ kind }) => kind === "deliberate-throw")?.subject.function;

  it.each([
    ["price", `function price() {\n  ${thrown};\n}\n`],
    ["price", `const price = () => {\n  ${thrown};\n};\n`],
    ["price", `exports.price = function () {\n  ${thrown};\n};\n`],
    ["price", `function price(rows) { rows.forEach(() => {\n  ${thrown};\n}); }\n`],
    ["Cart.price", `class Cart { price() {\n  ${thrown};\n} }\n`],
    ["Cart.price", `const Cart = class { price() {\n  ${thrown};\n} };\n`],
    ["Cart.price", `class Cart { price = () => {\n  ${thrown};\n}; }\n`],
    ["Cart.price", `Cart.prototype.price = function () {\n  ${thrown};\n};\n`],
    ["Cart.price", `Cart.prototype = { price() {\n  ${thrown};\n} };\n`],
    ["cart.price", `const cart = { price() {\n  ${thrown};\n} };\n`],
    // The stack's, as the code gives it none.
    ["shown", `module.exports = () => {\n  ${thrown};\n};\n`],
  ])("is %s: %j", async (name, text) => {
    expect(await nameIn(javascriptLog(2), { "cart.js": text })).toBe(name);
  });

  it.each([
    [
      "Python",
      'Traceback (most recent call last):\n  File "/srv/cart.py", line 3, in price\nValueError: no price\n',
      { "cart.py": "class Cart:\n    def price(self):\n        raise ValueError('no price')\n" },
    ],
    [
      "Ruby",
      "/srv/cart.rb:3:in `price': no price (RuntimeError)\n",
      { "cart.rb": "class Cart\n  def self.price\n    raise 'no price'\n  end\nend\n" },
    ],
    [
      "Go",
      "panic: no price\n\ngoroutine 1 [running]:\nmain.(*Cart).price(...)\n\t/srv/cart.go:4 +0x1d\n",
      { "cart.go": 'package main\n\nfunc (c *Cart) price() {\n\tpanic("no price")\n}\n' },
    ],
    [
      "Java",
      'Exception in thread "main" java.lang.IllegalStateException: no price\n\tat shop.Cart.price(Cart.java:3)\n',
      { "Cart.java": 'class Cart {\n  int price() {\n    throw new IllegalStateException("no price");\n  }\n}\n' },
    ],
  ])("has its class or type in %s", async (_, log, files) => {
    expect(await nameIn(log, files)).toBe("Cart.price");
  });
});
