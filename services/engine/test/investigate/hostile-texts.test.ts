import { beforeAll, describe, expect, it } from "vitest";
import { investigate } from "../../src/investigate.ts";
import { textSubject } from "../investigated.ts";
import { decoy, goCrash, java, json, node, nodeCrash, python, ruby } from "../printed-failures.ts";

const mebibyte = 1_048_576;
const ports = { clock: () => 0, onStep: async () => undefined };

const fill = (piece: string): string => piece.repeat(Math.ceil(mebibyte / piece.length)).slice(0, mebibyte);
/** Pieces that differ in a word, so that none is folded into another. */
const fillWith = (piece: (word: string) => string): string => {
  const pieces: string[] = [];
  let length = 0;
  for (let index = 0; length < mebibyte; index++) {
    const word = [...String(index)].map((digit) => String.fromCharCode(97 + Number(digit))).join("");
    const next = piece(word);
    pieces.push(next);
    length += next.length;
  }
  return pieces.join("").slice(0, mebibyte);
};

const stack = node(decoy);
const ordinary = fillWith(
  (word) => `2026-03-01T10:00:00.000Z INFO orders: order ${word} was accepted for shipping\n${stack}`,
);

const hostile: readonly (readonly [name: string, text: string])[] = [
  ["a stack in a query, over and over", fill(`GET /?q=\n${stack}\n`)],
  ["values that open and never end", fill('body="\n')],
  ["queries that open and never end", fill("GET /?q=\n")],
  ["quotes alone", fill('"\n')],
  ["quotes on one line", fill('" = "')],
  ["escaped quotes on one line", fill('\\"=')],
  ["an open quote and long lines", fill(`x="${"y".repeat(15_000)}\n`)],
  ["headings of values", fill("Request body:\n")],
  ["different crashes", fillWith((word) => nodeCrash(word))],
  ["different stacks", fillWith((word) => node(word))],
  ["different tracebacks", fillWith((word) => python(word))],
  ["different panics", fillWith((word) => goCrash(word))],
  ["different backtraces", fillWith((word) => ruby(word))],
  [
    "messages that name one error after the other",
    fill(`${"TypeError: x\n".repeat(29)}    at f (/a.js:1:1)\ny\n    at g (/b.js:1:1)\n`),
  ],
  ["stacks that end and begin again without a name", fill("Error: x\nTypeError: y\n    at f (/a.js:1:1)\nz\n")],
  [
    "calls that are indented less and less",
    fill(Array.from({ length: 60 }, (_, index) => `${" ".repeat(60 - index)}at f (/a.js:1:1)\n`).join("")),
  ],
  [
    "exceptions of the JVM that quote one another",
    fill(`Exception in thread "x" ${java("a", "b:\njava.lang.Error: c")}d\n\tat e.F.g(F.java:1)\n`),
  ],
  ["causes that nothing has", fill("caused by: Error: x\n  [cause]: Error: y\n")],
  ["deep causes", fillWith((word) => `${" ".repeat(word.length % 40)}[cause]: Error: ${word} {\n`)],
  [
    "messages in JSON that their stacks repeat",
    fill(json({ err: { message: `a\n${stack}`, stack: `Error: a\n${stack}${stack}` } })),
  ],
  ["one JSON message of many lines", json({ err: { message: fill("x\n"), stack: `Error: ${fill("x\n")}` } })],
  [
    "JSON in JSON in JSON",
    fill(json({ level: "info", message: json({ level: "info", message: json({ err: stack }) }) })),
  ],
  ["deep JSON behind a query", fill(`GET /?q=${'{"req":'.repeat(200)}\n`)],
  [
    "access lines with encoded stacks",
    fill(`10.0.0.9 - - [01/Mar/2026:10:00:00 +0000] "GET /?q=${encodeURIComponent(stack)} HTTP/1.1" 200 1\n`),
  ],
  ["one address of many encoded lines", `GET /?q=${fill(encodeURIComponent("TypeError: x\n    at f (/a.js:1:1)\n"))}`],
  ["blanks before a level", fill(`${" ".repeat(4_000)}ERROR\n`)],
  ["times without a message", fill("2026-03-01T10:00:00.000Z ")],
  ["names without an end", fill("a.b.C.")],
  ["indented panels without an end", fill(" ╭─╮\n │ \n")],
  ["panels in panels", fill("╭─╮\n│ ╭─╮\n│ │ x │\n")],
  ["titles of rich", fill("Traceback (most recent call last)\n")],
  ["panics that gin recovered", fill("panic recovered:\nx\n/a.go:1 (0x1)\n")],
  [
    "refused requests",
    fillWith((word) => {
      const err = {
        type: "NotFoundError",
        message: word,
        statusCode: 404,
        stack: `NotFoundError: ${word}\n    at f (/a.js:1:1)`,
      };
      return json({ level: 50, msg: word, err });
    }),
  ],
  ["names of failures without an end", fill(`2026-03-01T10:00:00.000Z ERROR a[b] ${"Ab".repeat(200)}\n`)],
  [
    "addresses that lead nowhere",
    fill(json({ level: 50, err: { type: "Error", message: `Cannot GET /${"x".repeat(5_000)} ` } })),
  ],
  ["requests in blanks", fill(`2026-03-01T10:00:00.000Z INFO incoming request${" ".repeat(4_000)}x\n`)],
  ["analyses of Spring Boot", fill("APPLICATION FAILED TO START\nDescription:\nx\n")],
];

async function costOf(text: string): Promise<number> {
  const before = process.cpuUsage();
  await investigate(textSubject(text), ports, new AbortController().signal);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** How many times the processor time of an ordinary log of its size a text may cost, measured in the same run. */
const factorMax = 20;

describe("an investigation of a text written to be slow", () => {
  let usual = 0;
  beforeAll(async () => {
    // The first one also compiles the engine.
    await costOf(ordinary);
    usual = await costOf(ordinary);
  });

  it.each(hostile)("costs little more than one of an ordinary log: %s", async (_, text) => {
    expect(await costOf(text)).toBeLessThan(usual * factorMax);
  });
});
