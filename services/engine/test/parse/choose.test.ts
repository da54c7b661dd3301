import { describe, expect, it } from "vitest";
import { parseText } from "../../src/parse/parse.ts";

const crash = (name: string): string =>
  `/srv/a.js:1\nx\n^\n\nError: ${name}\n    at f (/srv/a.js:1:1)\n\nNode.js v22.1.0\n`;
const caught = (name: string): string => `Error: ${name}\n    at f (/srv/a.js:1:1)\n`;
const chosen = (text: string): string | undefined => {
  const { exceptions, chain } = parseText(text);
  return exceptions[chain[0] ?? -1]?.message;
};

describe("of several errors", () => {
  it("the last that ended the process is investigated", () => {
    expect(chosen(`${caught("first")}${crash("second")}${crash("third")}${caught("fourth")}`)).toBe("third");
  });

  it("the first with a stack is investigated when none ended the process", () => {
    expect(chosen(`Error: without\n\n${caught("first")}${caught("second")}`)).toBe("first");
  });

  it("one that was logged as a warning isn't investigated", () => {
    expect(chosen(`WARN retrying: ${caught("first")}${caught("second")}`)).toBe("second");
  });

  it("a stack explains more than the signal that a shell prints below it", () => {
    const traceback =
      'Traceback (most recent call last):\n  File "/srv/a.py", line 1, in f\n    g()\nValueError: bad\n';
    expect(chosen(`${traceback}Segmentation fault (core dumped)\n`)).toBe("bad");
    expect(chosen(`WARN retrying: ${caught("tried")}Segmentation fault (core dumped)\n`)).toBe("Segmentation fault");
    expect(chosen(`${traceback}Killed\n`)).toBe("Killed");
  });

  it("a stack explains more than the line of a summary that names a test", () => {
    const traceback =
      "Traceback (most recent call last):\n  File \"/usr/lib/python3/dist-packages/shop.py\", line 1, in f\n    g()\nKeyError: 'vat'\n";
    const summary =
      "FAILED tests/test_tax.py::test_tax - KeyError: 'vat'\nFAILED tests/test_tax.py::test_zero - assert 0\n";
    const { exceptions, chain, chosenBecause } = parseText(`${summary}\n${traceback}`);
    expect(exceptions[chain[0] ?? -1]?.frames).toMatchObject([{ function: "f", line: 1 }]);
    // The first line names the same failure again.
    expect(chosenBecause?.rivals.map((index) => exceptions[index]?.message)).toEqual(["assert 0"]);
    expect(chosen(`${summary}ERROR tox: exited with 1\n`)).toBe("'vat'");
  });

  it("a failed test without a line is investigated before a warning and before an error that was handled", () => {
    const summary = "FAILED tests/test_stops.py::test_zone - AssertionError: zone 3\n";
    const call = "    at f (/srv/a.js:1:1)\n";
    expect(chosen(`(node:7) [DEP0040] DeprecationWarning: punycode is deprecated\n${call}\n${summary}`)).toBe("zone 3");
    const handled = `2026-03-01T10:00:00Z INFO handled Error: cache miss\n${call}`;
    expect(chosen(`${handled}\n${summary}`)).toBe("zone 3");
    const tap = "not ok 1 - has a zone\n  ---\n  error: 'no zone'\n  ...\n";
    expect(chosen(`${handled}\n${tap}`)).toBe("no zone");
  });

  it("a stack whose name was cut off is no rival of one with a name", () => {
    const cutOff = "\tat com.acme.Board.draw(Board.java:7)\n\tat com.acme.Main.main(Main.java:3)\n";
    const { exceptions, chosenBecause } = parseText(`${cutOff}\n${caught("first")}`);
    expect(exceptions).toHaveLength(2);
    expect(chosenBecause?.rivals).toEqual([]);
  });

  it("one that was thrown without a more specific name is a rival", () => {
    const raised = (name: string): string =>
      `Traceback (most recent call last):\n  File "/srv/stops.py", line 3, in find\n    raise stop\n${name}\n`;
    const { exceptions, chosenBecause } = parseText(`${raised("KeyError: 'stop'")}\n${raised("Exception")}`);
    expect(chosenBecause?.rivals.map((index) => exceptions[index]?.type)).toEqual(["Exception"]);
  });

  it("the choice says why, and how many others there are", () => {
    expect(parseText(`${caught("first")}${crash("second")}`).chosenBecause).toEqual({
      ...{ reason: "ended-process", others: 1, isLast: false, rivals: [0], inValues: [] },
    });
    expect(parseText(caught("only")).chosenBecause).toBeNull();
  });

  it("a repeated one is counted, whatever numbers it contains", () => {
    const { exceptions } = parseText(`${caught("job 7 failed")}${caught("job 8 failed")}${caught("job 9 failed")}`);
    expect(exceptions.map(({ message, repeats }) => [message, repeats])).toEqual([["job 7 failed", 3]]);
  });

  it("the first and last are kept when there are too many different ones", () => {
    const names = Array.from(
      { length: 90 },
      (_, index) => `${String.fromCharCode(97 + (index % 26)).repeat(1 + index / 26)}`,
    );
    const { exceptions, unread } = parseText(names.map(caught).join(""));
    expect(exceptions).toHaveLength(60);
    expect(exceptions.at(-1)?.message).toBe(names.at(-1));
    expect(unread).toContainEqual({ kind: "errors-left-out", errors: 30 });
  });
});

describe("of several errors, with some of the program's code", () => {
  const thrown = (name: string, file: string): string => `Error: ${name}\n    at f (/srv/${file}:1:1)\n`;
  const text = `${thrown("first", "lib/a.js")}${thrown("second", "lib/b.js")}${thrown("third", "lib/c.js")}`;
  const chosenWith = (...names: readonly string[]): string | undefined => {
    const { exceptions, chain } = parseText(
      text,
      names.map((name) => ({ name })),
    );
    return exceptions[chain[0] ?? -1]?.message;
  };

  it("the first whose stack shows that code is investigated, and the choice says so", () => {
    expect(chosenWith("lib/b.js", "lib/c.js")).toBe("second");
    const { chosenBecause, unread } = parseText(text, [{ name: "lib/b.js" }]);
    expect(chosenBecause).toMatchObject({ reason: "given-code", others: 2, rivals: [0, 2] });
    expect(unread.map(({ kind }) => kind)).toContain("rival-errors");
  });

  it("the code changes nothing if the first choice shows some of it, or none of them does", () => {
    expect(chosenWith("lib/a.js", "lib/b.js")).toBe("first");
    expect(chosenWith("lib/other.js")).toBe("first");
  });

  it("tests, manifests, and installed packages aren't the program", () => {
    expect(chosenWith("lib/b.test.js", "package.json")).toBe("first");
    const installed = text.replace("/srv/lib/b.js", "/srv/node_modules/b/index.js");
    const { exceptions, chain } = parseText(installed, [{ name: "node_modules/b/index.js" }]);
    expect(exceptions[chain[0] ?? -1]?.message).toBe("first");
  });

  it("a test that only reports the failure comes after the code under test", () => {
    const reported = `${thrown("expected 2", "test/b.test.js")}${thrown("no rows", "lib/b.js")}`;
    const { exceptions, chain } = parseText(reported, [{ name: "test/b.test.js" }, { name: "lib/b.js" }]);
    expect(exceptions[chain[0] ?? -1]?.message).toBe("no rows");
  });

  it("a warning isn't chosen for its code", () => {
    const warned = `${thrown("first", "lib/a.js")}WARN retrying: ${thrown("second", "lib/b.js")}`;
    expect(parseText(warned, [{ name: "lib/b.js" }]).chain).toEqual(parseText(warned).chain);
  });
});

describe("the log around an error", () => {
  const line = (index: number): string => `2026-03-01T10:00:00Z INFO step ${index}\n`;

  it("is kept: a hundred records before it and twenty after it", () => {
    const before = Array.from({ length: 101 }, (_, index) => line(index)).join("");
    const after = Array.from({ length: 21 }, (_, index) => line(1_000 + index)).join("");
    const { records } = parseText(`${before}${caught("x")}${after}`);
    expect(records).toHaveLength(120);
    expect([records[0]?.message, records.at(-1)?.message]).toEqual(["step 1", "step 1019"]);
  });
});
