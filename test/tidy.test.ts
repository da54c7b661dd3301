import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { readRepositoryFile, repositoryFiles } from "./repository-files.ts";
import { parseSyntax, readSyntax } from "./syntax.ts";

const sourceLinesMax = 400;
const testLinesMax = 600;

/** Matches names that say nothing about the content. */
const namelessNames = /^(utils?|helpers?|common|misc|shared|managers?|.+-(utils?|helpers?|managers?))$/;

/** Matches notes that belong in the issue tracker. Spelled so that this file doesn't match itself. */
const note = new RegExp(`\\b(${["TO" + "DO", "FIX" + "ME", "HA" + "CK", "XX" + "X"].join("|")})\\b`);

const code = repositoryFiles("**/*.{ts,tsx,mts,cts,mjs,cjs,js}");
const allCode = new Set(code);
const isTest = (file: string): boolean => /(^|\/)test\//.test(file);

/** Matches calls of what came after Node 18. */
const newer = /\.(?:toSorted|toReversed|toSpliced|groupBy|withResolvers|fromAsync)\(/;

describe("every client", () => {
  it("calls nothing that its oldest Node lacks", () => {
    const sources = repositoryFiles("sdks/{node,agent,protocol}/src/**/*.ts");
    expect(sources.filter((file) => newer.test(readRepositoryFile(file)))).toEqual([]);
  });
});

describe("every file", () => {
  it("is short enough to be read at once", () => {
    const long = code
      .map((file) => ({ file, lines: readRepositoryFile(file).split("\n").length - 1 }))
      .filter(({ file, lines }) => lines > (isTest(file) ? testLinesMax : sourceLinesMax));
    expect(long.map(({ file, lines }) => `${file} has ${lines} lines`)).toEqual([]);
  });

  it("is named, like its folder, after its content", () => {
    const nameless = code.filter((file) =>
      file.split("/").some((part) => namelessNames.test(part.replace(/\..*$/, ""))),
    );
    expect(nameless).toEqual([]);
  });

  it("contains no note about work to be done", () => {
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

  it("spreads no literal into another, unless it is a test", () => {
    const spreads = code.filter((file) => /\/src\//.test(file)).flatMap((file) => readSyntax(file).literalSpreads);
    expect(spreads.map(({ file, line }) => `${file}:${line}`)).toEqual([]);
  });

  it("runs all of its tests", () => {
    const held = code.flatMap((file) => readSyntax(file).heldBackTests);
    expect(held.map(({ file, line }) => `${file}:${line}`)).toEqual([]);
  });
});

const tests = code.filter((file) => file.endsWith(".test.ts"));

/** Whether a file is one of those, or imports one, directly or through files that `through` accepts. */
function reaches(these: RegExp, through: (file: string) => boolean): (file: string) => boolean {
  const known = new Map<string, boolean>();
  return function isReached(file): boolean {
    const before = known.get(file);
    if (before !== undefined) return before;
    known.set(file, false);
    const reached =
      these.test(file) ||
      (through(file) &&
        readSyntax(file).imports.some(
          ({ target, values }) => values.length > 0 && allCode.has(target) && isReached(target),
        ));
    known.set(file, reached);
    return reached;
  };
}

describe("a test of the engine", () => {
  const sources = new Set(repositoryFiles("services/engine/src/**/*.ts"));

  it("has the path of the source that it tests, or is in a folder of that path", () => {
    const misplaced = tests.filter((file) => {
      const path = file.replace("/test/", "/src/").replace(".test.ts", "");
      return file.startsWith("services/engine/") && !sources.has(`${path}.ts`) && !sources.has(`${dirname(path)}.ts`);
    });
    expect(misplaced).toEqual([]);
  });
});

describe("a test that starts a server", () => {
  const servers = /^test\/(servers\/(nats-server|postgres|prometheus|moto|nginx|browser|programs)|cluster\/)/;
  /** Whether it starts a program that may not be installed. */
  const startsServer = reaches(servers, () => true);

  it("has its name for that, and no other test does, so that the rest needs only Node", () => {
    const misnamed = tests.filter((file) => startsServer(file) !== file.endsWith(".servers.test.ts"));
    expect(misnamed).toEqual([]);
  });
});

describe("a test that starts a whole service or analyzer, or programs with the published client", () => {
  const whole =
    /^(test\/servers\/server-process|services\/analyzer\/src\/start-consumers|sdks\/node\/test\/sdk-build)\.ts$/;
  const startsWhole = reaches(whole, isTest);

  it("is a system test by its name or folder, so that `pnpm test` is quick", () => {
    const inPackages = tests.filter(
      (file) => !/\.(programs|servers)\.test\.ts$/.test(file) && !file.startsWith("test/e2e/"),
    );
    expect(inPackages.filter(startsWhole)).toEqual([]);
  });
});

describe("a test that doesn't run", () => {
  it.each(['it.skip("x")', 'describe.only("x")', 'it.todo("x")', 'it.skipIf(true)("x")', 'it.concurrent.only("x")'])(
    "is found: %s",
    (text) => {
      expect(parseSyntax("a.test.ts", text).heldBackTests).toHaveLength(1);
    },
  );
});
