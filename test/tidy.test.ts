import { describe, expect, it } from "vitest";
import { readRepositoryFile, repositoryFiles } from "./repository-files.ts";
import { parseSyntax, readSyntax } from "./syntax.ts";

const sourceLinesMax = 400;
const testLinesMax = 600;

/** Names that say nothing of what is inside. */
const namelessNames = /^(utils?|helpers?|common|misc|shared|managers?|.+-(utils?|helpers?|managers?))$/;

/** Notes to oneself belong to the issue tracker. Spelled so that this file does not find itself. */
const note = new RegExp(`\\b(${["TO" + "DO", "FIX" + "ME", "HA" + "CK", "XX" + "X"].join("|")})\\b`);

const code = repositoryFiles("**/*.{ts,tsx,mts,cts,mjs,cjs,js}");
const isTest = (file: string): boolean => /(^|\/)test\//.test(file);

describe("every file", () => {
  it("is short enough to be read at once", () => {
    const long = code
      .map((file) => ({ file, lines: readRepositoryFile(file).split("\n").length - 1 }))
      .filter(({ file, lines }) => lines > (isTest(file) ? testLinesMax : sourceLinesMax));
    expect(long.map(({ file, lines }) => `${file} has ${lines} lines`)).toEqual([]);
  });

  it("is named, as its folder is, after what is inside", () => {
    const nameless = code.filter((file) =>
      file.split("/").some((part) => namelessNames.test(part.replace(/\..*$/, ""))),
    );
    expect(nameless).toEqual([]);
  });

  it("holds no note of what is still to be done", () => {
    const notes = code.flatMap((file) =>
      readRepositoryFile(file)
        .split("\n")
        .flatMap((line, index) => (note.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
    );
    expect(notes).toEqual([]);
  });

  it("casts nothing to any", () => {
    const casts = code.flatMap((file) => readSyntax(file).anyCasts);
    expect(casts.map(({ file, line }) => `${file}:${line}`)).toEqual([]);
  });

  it("runs all of its tests", () => {
    const held = code.flatMap((file) => readSyntax(file).heldBackTests);
    expect(held.map(({ file, line }) => `${file}:${line}`)).toEqual([]);
  });
});

describe("a test that starts a server", () => {
  const programs = /^test\/(servers\/(nats-server|postgres|prometheus|moto|nginx|browser|programs)|cluster\/)/;
  const reached = new Map<string, boolean>();

  /** Whether the file, or one that it imports, starts a program which a machine may not have. */
  function startsServer(file: string): boolean {
    const known = reached.get(file);
    if (known !== undefined) return known;
    reached.set(file, false);
    const starts =
      programs.test(file) ||
      readSyntax(file).imports.some(
        ({ target, values }) => values.length > 0 && code.includes(target) && startsServer(target),
      );
    reached.set(file, starts);
    return starts;
  }

  it("is named so, and no other is, so that the rest run where there is nothing but Node", () => {
    const tests = code.filter((file) => file.endsWith(".test.ts"));
    const misnamed = tests.filter((file) => startsServer(file) !== file.endsWith(".servers.test.ts"));
    expect(misnamed).toEqual([]);
  });
});

describe("a test that is held back", () => {
  it.each(['it.skip("x")', 'describe.only("x")', 'it.todo("x")', 'it.skipIf(true)("x")', 'it.concurrent.only("x")'])(
    "is found: %s",
    (text) => {
      expect(parseSyntax("a.test.ts", text).heldBackTests).toHaveLength(1);
    },
  );
});
