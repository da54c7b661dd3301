import { describe, expect, it } from "vitest";
import { parseText } from "../../../src/parse/parse.ts";

const stacks: readonly (readonly [type: string, stack: string])[] = [
  ["KeyError", "Traceback (most recent call last):\n  File \"/srv/a.py\", line 3, in f\n    g()\nKeyError: 'x'\n"],
  [
    "java.lang.IllegalStateException",
    "java.lang.IllegalStateException: no amount\n\tat com.acme.Cart.total(Cart.java:42)\n",
  ],
  ["TypeError", "TypeError: x is not a function\n    at total (/srv/src/cart.js:42:17)\n"],
  ["panic", "panic: no amount\n\ngoroutine 7 [running]:\nmain.total()\n\t/srv/cart.go:42 +0x1d\n"],
];

const typesOf = (text: string): readonly (string | null)[] => parseText(text).exceptions.map(({ type }) => type);

describe("a line of a log that looks like a bundler's", () => {
  const lines = [
    "ERROR in worker",
    "ERROR in ./worker.py",
    "[!] No config found, using defaults",
    "Internal server error: no amount",
  ];

  it.each(lines.flatMap((line) => stacks.map(([type, stack]) => [line, type, stack] as const)))(
    "isn't an error above a stack: %s, %s",
    (line, type, stack) => {
      const { exceptions } = parseText(`${line}\n${stack}`);
      expect(exceptions.map((exception) => exception.type)).toEqual([type]);
      expect(exceptions[0]?.frames[0]?.line).toBe(type === "KeyError" ? 3 : 42);
    },
  );

  it("isn't an error above an error of a database", () => {
    expect(typesOf('./src/a.js:3:5\nSyntax error near "FROM"\n')).not.toContain("uncoded");
    expect(parseText('./src/a.js:3:5\nSyntax error near "FROM"\n').exceptions).toEqual([]);
  });
});

describe("an error of a bundler", () => {
  it("isn't what a stack of Java is below", () => {
    expect(typesOf(`ERROR in ./src/a.js 3:5\n${stacks[1]?.[1]}`)).toEqual(["java.lang.IllegalStateException"]);
  });

  const errors = [
    "4:32:01 PM [vite] Internal server error: Failed to resolve import",
    "4:32:01 PM [vite] Internal server error: Failed to resolve import\n  File: /app/src/cart.ts:1:23",
    "ERROR in src/cart.ts:12:9\nTS2339: Property 'amount' does not exist on type 'Order'.",
  ];

  it.each(errors.flatMap((error) => stacks.map(([type, stack]) => [error, type, stack] as const)))(
    "ends at the error of a program: %s, %s",
    (error, type, stack) => {
      const types = typesOf(`${error}\n\n${stack}`);
      expect(types).toHaveLength(2);
      expect(types[1]).toBe(type);
    },
  );

  it.each(errors.slice(0, 2).map((error) => [error]))("ends at a named error directly below: %s", (error) => {
    expect(typesOf(`${error}\nTypeError: x is not a function\n    at total (/srv/src/cart.js:42:17)\n`)).toHaveLength(
      2,
    );
  });
});
