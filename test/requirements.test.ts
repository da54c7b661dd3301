import { describe, expect, it } from "vitest";
import { citationsIn } from "./citations.ts";
import { readRepositoryFile, repositoryFiles } from "./repository-files.ts";
import { requirements } from "./requirements.ts";

/** The finished parts of the plan: each of their requirements needs a test. */
const delivered: readonly number[] = [1, 6];

const known = new Map(requirements.map((requirement) => [requirement.id, requirement]));
const citations = repositoryFiles("**/*.test.ts", "**/test_*.py").flatMap((file) =>
  citationsIn(file, readRepositoryFile(file)),
);
const cited = new Set(citations.map(({ id }) => id));

describe("the requirements", () => {
  it("have unique ids", () => {
    const ids = requirements.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it("have dotted lowercase ids", () => {
    expect(requirements.filter(({ id }) => !/^[a-z-]+(\.[a-z0-9-]+)+$/.test(id))).toEqual([]);
  });

  it("belong to one of the nine parts", () => {
    expect(requirements.filter(({ part }) => !(Number.isInteger(part) && part >= 1 && part <= 9))).toEqual([]);
  });

  it("are cited by a test once their part is delivered", () => {
    const uncited = requirements.filter(({ id, part }) => delivered.includes(part) && !cited.has(id));
    expect(uncited.map(({ id, source, behavior }) => `${id} (${source}): ${behavior}`)).toEqual([]);
  });
});

describe("the citations", () => {
  it("name existing requirements", () => {
    const unknown = citations.filter(({ id }) => !known.has(id));
    expect(unknown.map(({ id, file, line }) => `${file}:${line}: ${id} is not in test/requirements.ts`)).toEqual([]);
  });

  it("are directly above a test", () => {
    const astray = citations.filter(({ aboveTest }) => !aboveTest);
    expect(astray.map(({ id, file, line }) => `${file}:${line}: no it( below the citation of ${id}`)).toEqual([]);
  });
});

describe("reading citations", () => {
  const read = (text: string): [string, boolean][] =>
    citationsIn("a", text).map(({ id, aboveTest }) => [id, aboveTest]);

  it("takes several above one test", () => {
    expect(read('// requirement: a.b\n// requirement: a.c\nit("x", () => {})')).toEqual([
      ["a.b", true],
      ["a.c", true],
    ]);
  });

  it("takes Python tests", () => {
    expect(read("# requirement: a.b\ndef test_x():")).toEqual([["a.b", true]]);
  });

  it("doesn't accept a blank line between a citation and its test", () => {
    expect(read('// requirement: a.b\n\nit("x", () => {})')).toEqual([["a.b", false]]);
  });

  it("doesn't accept a skipped test", () => {
    expect(read('// requirement: a.b\nit.todo("x")')).toEqual([["a.b", false]]);
  });
});
