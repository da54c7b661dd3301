import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ParsedError } from "../../src/findings/parsed-error.ts";
import { parseText } from "../../src/parse/parse.ts";

describe("the output of Node.js", () => {
  it("is quoted with the lines on which it was printed", () => {
    const text = "starting\nTypeError: x is not a function\n    at run (/srv/a.js:1:2)\ndone\n";
    const [error] = parseText(text).exceptions;
    expect(text.slice(error?.printed.start, error?.printed.end)).toBe(
      "TypeError: x is not a function\n    at run (/srv/a.js:1:2)",
    );
  });
});

describe("an error of a program whose name is on its first line alone", () => {
  it("contains nothing that the program says below its calls", () => {
    const text = `web-1  | TypeError: cart is undefined
    at total (/srv/app/src/cart.js:4:9)
    at show (/srv/app/src/api.js:7:3)
db-1   | checkpoint complete
web-1  |   next request started
`;
    expect(parseText(text).exceptions).toMatchObject([
      { type: "TypeError", message: "cart is undefined", frames: [{ line: 4 }, { line: 7 }] },
    ]);
  });
});

describe("an error of a browser that a page of PHP shows", () => {
  it("isn't one of PHP", () => {
    const text = "JS console: Uncaught TypeError: cart.total is not a function in https://shop.test/checkout.php:88\n";
    const errors = parseText(text).exceptions;
    expect(errors.filter(({ language }) => language === "php")).toEqual([]);
    expect(errors.flatMap(({ frames }) => frames).filter(({ origin }) => origin === "app")).toEqual([]);
  });
});

describe("a failed assertion of Node.js", () => {
  it("has its name and its message above a difference of many lines", () => {
    const difference = Array.from({ length: 45 }, (_, index) => `  +   field${index}: ${index},`).join("\n");
    const text = `test at test/cart.test.js:3:1
✖ adds (1.5ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal:
  + actual - expected

    {
${difference}
    }

      at TestContext.<anonymous> (/srv/test/cart.test.js:4:10)
`;
    const [error] = parseText(text).exceptions;
    expect(error).toMatchObject({ type: "AssertionError", frames: [{ line: 4 }] });
    expect(error?.message).toMatch(/^Expected values to be strictly deep-equal:\n/);
  });
});

describe("an error of Node.js below a failed assertion without calls", () => {
  const assertion = "AssertionError: expected 1190 to be 1200\n\n- Expected\n+ Received\n\n- 1200\n+ 1190\n";
  const thrown = "    at pay (/srv/src/pay.js:4:10)\n";
  const typesIn = (text: string): (string | undefined)[] => parseText(text).exceptions.map(({ type }) => type);

  it.each([
    [
      "log records",
      Array.from({ length: 60 }, (_, at) => `2026-11-30T10:00:${10 + (at % 50)}Z INFO order ${at}\n`).join(""),
    ],
    ["lines of another kind", Array.from({ length: 60 }, (_, at) => `order ${at} is paid\n`).join("")],
    ["nothing", ""],
  ])("has its own name below %s", (_, between) => {
    expect(typesIn(`${assertion}${between}RangeError: no such price\n${thrown}`)).toContain("RangeError");
    expect(typesIn(`${assertion}${between}RangeError: no such price\n${thrown}`)).not.toContain("AssertionError");
  });

  it.each([
    ["a log record", "2026-11-30T10:00:10Z ERROR RangeError: no such price\n"],
    ["blank lines", "\n\n  RangeError: no such price\n"],
  ])("has its own name behind %s", (_, named) => {
    expect(typesIn(assertion + named + thrown)).toEqual(["RangeError"]);
  });

  it("has its own difference", () => {
    const own = `AssertionError [ERR_ASSERTION]: no such price\n+ actual - expected\n\n${"+   1190,\n".repeat(45)}\n`;
    expect(parseText(assertion + own + thrown).exceptions[0]?.message).toMatch(/^no such price\n/);
  });
});

describe("a message of pytest as long as a text may be", () => {
  it("is parsed", () => {
    const text = `E   Traceback (most recent call last):\n${"E  x\n".repeat(200_000)}E   KeyError: 'a'\n`;
    expect(parseText(text).sources).toHaveLength(1);
  });
});

describe("a text without an error", () => {
  it("is represented by its most telling line, and reported as unread", () => {
    const parsed = parseText("hello\nconnection refused by db-1\nbye");
    expect(parsed.headline).toBe("connection refused by db-1");
    expect(parsed.unread).toEqual([{ kind: "unknown-format", lines: 3 }]);
  });

  it("isn't taken for a stack when its prose contains `at`", () => {
    expect(parseText("We met\n   at noon\n   at the usual place (room 5)\n").exceptions).toEqual([]);
  });
});

describe("any text", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 30 }),
    fc.constantFrom(
      "\n",
      "    at f (/a.js:1:2)",
      "    at async g (file:///b.mjs:3:4) {",
      "Error: x",
      "TypeError [CODE]: y",
      "  [cause]: Error: z",
      "  [errors]: [",
      "}",
      "  code: 'A',",
      "    ^",
      "/a.js:1",
      '{"err":{"stack":"Error: q\\n    at h (c.js:1:1)"}}',
      "caused by: Error: w",
      "\u001b[31m",
      "Node.js v22",
    ),
  );
  const texts = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join("\n"));

  it("is parsed without an error, into ranges within it and causes after what they caused", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { exceptions, chain } = parseText(text);
        for (const [index, { printed, source, parent, frames }] of exceptions.entries()) {
          expect(printed.start).toBeGreaterThanOrEqual(0);
          expect(printed.end).toBeLessThanOrEqual(source.text.length);
          expect(printed.start).toBeLessThanOrEqual(printed.end);
          expect(parent ?? -1).toBeLessThan(index);
          for (const frame of frames) expect(frame.printed?.end ?? 0).toBeLessThanOrEqual(source.text.length);
        }
        expect(chain.every((index) => exceptions[index] !== undefined)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

const fixtures = join(import.meta.dirname, "../formats");
const languages = [
  "node",
  "python",
  "jvm",
  "go",
  "ruby",
  "php",
  "dotnet",
  "rust",
  "elixir",
  "dart",
  "ipython",
  "pytest",
];
const samples = languages.flatMap((language) =>
  readdirSync(join(fixtures, language))
    .filter((file) => file.endsWith(".txt"))
    .map((file) => readFileSync(join(fixtures, language, file), "utf8")),
);
const everything = readdirSync(fixtures).flatMap((format) =>
  readdirSync(join(fixtures, format))
    .filter((file) => file.endsWith(".txt"))
    .map((file) => readFileSync(join(fixtures, format, file), "utf8")),
);
/** Stacks that nothing has carried and whose message stands on one line: they look the same under any prefix. */
const plain = samples.filter((text) => !text.includes("\u001b") && !/[{"|]/.test(text) && !/\d\d:\d\d:\d\d/.test(text));

/** What matters of a reading: which errors, with which calls. */
function gist({ exceptions }: ParsedError): unknown {
  return exceptions.map(({ type, frames }) => [
    type,
    frames.map(({ function: name, file, line }) => [name, file, line]),
  ]);
}

function expectHolds(text: string): void {
  const { exceptions, chain, records, alert } = parseText(text);
  for (const [index, { printed, source, parent, frames }] of exceptions.entries()) {
    expect(printed.start).toBeGreaterThanOrEqual(0);
    expect(printed.start).toBeLessThanOrEqual(printed.end);
    expect(printed.end).toBeLessThanOrEqual(source.text.length);
    expect(parent ?? -1).toBeLessThan(index);
    for (const { printed: place } of frames) expect(place?.end ?? 0).toBeLessThanOrEqual(source.text.length);
  }
  for (const { printed } of [...records, ...(alert ? [alert] : [])]) {
    expect(printed.start).toBeLessThanOrEqual(printed.end);
    expect(printed.end).toBeLessThanOrEqual(text.length);
  }
  expect(chain.every((index) => exceptions[index] !== undefined)).toBe(true);
}

const sample = fc.constantFrom(...samples);
const plainSample = fc.constantFrom(...plain);
const onEachLine = (text: string, change: (line: string) => string): string =>
  text.trimEnd().split("\n").map(change).join("\n");

/** Returns whether a text is one error whose calls are more than one: a single call behind a name is an ordinary line. */
const hasTwoCalls = (text: string): boolean =>
  parseText(text).exceptions.every(({ frames }) => frames.filter(({ line }) => line !== null).length > 1);

describe("any pasted text", () => {
  const shredded = fc.tuple(fc.constantFrom(...everything), fc.nat(), fc.nat()).map(([text, from, length]) => {
    const start = from % (text.length + 1);
    return text.slice(start, start + (length % (text.length + 1)));
  });
  const lines = fc.constantFrom(...new Set(everything.flatMap((text) => text.split("\n"))));
  const anything = fc.oneof(
    shredded,
    fc.array(fc.oneof(shredded, fc.string({ unit: "binary" })), { maxLength: 4 }).map((parts) => parts.join("")),
    fc.array(lines, { maxLength: 30 }).map((parts) => parts.join("\n")),
  );

  it("is parsed without an error, into ranges within it", () => {
    fc.assert(fc.property(anything, expectHolds), { numRuns: 400 });
  });

  it("is parsed in the same way twice", () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(gist(parseText(text))).toEqual(gist(parseText(text)));
      }),
      { numRuns: 30 },
    );
  });
});

describe("a place that an error prints", () => {
  const numbers = ["0", "1.5", "-3", "1e300", "9007199254740993", "99999999999999999999999", "00", "٣"];
  const stacks = (line: string): string[] => [
    `java.lang.IllegalStateException: boom\n\tat shop.Orders.load(Orders.java:${line})\n\tat shop.Main.main(Main.java:3)`,
    `TypeError: boom\n    at load (/app/src/orders.js:${line}:${line})\n    at main (/app/src/main.js:3:1)`,
    `load@http://shop.example/orders.js:${line}:${line}\nmain@http://shop.example/main.js:3:1`,
    `thread 'main' panicked at src/orders.rs:${line}:${line}:\nboom`,
    `Unhandled exception:\nBad state: boom\n#0      load (package:shop/orders.dart:${line}:${line})\n#1      main (package:shop/main.dart:3:1)`,
    `Traceback (most recent call last):\n  File "/app/orders.py", line ${line}, in load\n    boom()\nValueError: boom`,
    `PHP Fatal error:  Uncaught Exception: boom in /app/orders.php:${line}\nStack trace:\n#0 /app/main.php(${line}): load()\n#1 {main}`,
    JSON.stringify({
      exc: {
        type: "ValueError",
        value: "boom",
        frames: [{ filename: "orders.py", lineno: Number(line), function: "load" }],
      },
    }),
  ];

  it("has a line that a file can have, or none", () => {
    for (const text of numbers.flatMap(stacks)) {
      for (const { frames, throwSite } of parseText(text).exceptions) {
        for (const { line, column } of [...frames, ...(throwSite ? [throwSite] : [])]) {
          for (const number of [line, column]) expect(number ?? 1, text).toSatisfy(isCountable);
        }
      }
    }
  });

  it("keeps the first line of a file", () => {
    const [java = ""] = stacks("1");
    expect(parseText(java).exceptions[0]?.frames[0]?.line).toBe(1);
  });
});

const isCountable = (number: number): boolean => Number.isSafeInteger(number) && number >= 1;

describe("a stack", () => {
  const prefixes = fc.constantFrom(
    "api-1  | ",
    "2026-03-01T10:00:01.204113000Z stderr F ",
    "Mar  1 10:00:01 api-1 orders[17]: ",
    "<11>1 2026-03-01T10:00:01.204Z api-1 orders 17 - - ",
    "[pod/api-7d9f/api] ",
    "2026-03-01T10:00:01.204113+00:00 app[web.1]: ",
    "2026-03-01T10:00:01.204113Z 01O ",
    "#12 3.104 ",
    "npm error ",
  );

  it("is the same without the prefixes of its carriers", () => {
    fc.assert(
      fc.property(plainSample, prefixes, (text, prefix) => {
        expect(gist(parseText(onEachLine(text, (line) => prefix + line)))).toEqual(gist(parseText(text)));
      }),
      { numRuns: 200 },
    );
  });

  it("is the same in color, with Windows line endings, and in a quotation", () => {
    const changes = [
      (line: string): string => `\u001b[31m${line}\u001b[0m`,
      (line: string): string => `${line}\r`,
      (line: string): string => `> ${line}`,
    ];
    fc.assert(
      fc.property(sample, fc.constantFrom(...changes), (text, change) => {
        expect(gist(parseText(onEachLine(text, change)))).toEqual(gist(parseText(text.trimEnd())));
      }),
      { numRuns: 200 },
    );
  });

  it("is the same in a box, in a comment, and quoted within a longer text", () => {
    const changes = [
      (line: string): string => `│ ${line}`,
      (line: string): string => `# ${line}`,
      (line: string): string => `>> ${line}`,
    ];
    const around = (text: string): string => `It failed again.\n\n${text}\n\nIs there a way round?`;
    // A tree of bars and a mark of one's own stand before lines of these already.
    const unmarked = plain.filter((text) => !/^\s*[>|│┃#*]|^\s*\/\//m.test(text));
    fc.assert(
      fc.property(fc.constantFrom(...unmarked), fc.constantFrom(...changes), (text, change) => {
        expect(gist(parseText(around(onEachLine(text, change))))).toEqual(gist(parseText(around(text.trimEnd()))));
      }),
      { numRuns: 100 },
    );
  });

  it("is the same behind what a program or a logger writes before each line", () => {
    const heads = fc.constantFrom(
      "@acme/api:test: ",
      "orders-7d9f8c-x2x9k orders ",
      "celery stderr | ",
      "[worker-3] ",
      "10:00:01 [worker-3] ERROR ",
      "2026-03-01 10:00:01 +0000 [error]: #0 ",
    );
    fc.assert(
      fc.property(fc.constantFrom(...plain.filter(hasTwoCalls)), heads, (text, head) => {
        expect(gist(parseText(onEachLine(text, (line) => head + line)))).toEqual(gist(parseText(text.trimEnd())));
      }),
      { numRuns: 200 },
    );
  });

  it("is the same when it is indented as a whole", () => {
    const widths = fc.constantFrom("  ", "    ", "        ", "\t");
    fc.assert(
      fc.property(fc.constantFrom(...plain.filter(hasTwoCalls)), widths, (text, width) => {
        const indented = onEachLine(text, (line) => (line === "" ? "" : width + line));
        expect(gist(parseText(indented))).toEqual(gist(parseText(text.trimEnd())));
      }),
      { numRuns: 200 },
    );
  });

  it("is found next to one of another language", () => {
    const withStack = plain.filter((text) => parseText(text).exceptions.some(({ frames }) => frames.length > 0));
    const stack = fc.constantFrom(...withStack);
    const types = (text: string): string[] => parseText(text).exceptions.map(({ type }) => type);
    fc.assert(
      fc.property(stack, stack, (first, second) => {
        const both = types(`${first.trimEnd()}\n\nmeanwhile, elsewhere\n\n${second.trimEnd()}\n`);
        expect(both).toEqual(expect.arrayContaining([...types(first), ...types(second)]));
      }),
      { numRuns: 150 },
    );
  });
});
