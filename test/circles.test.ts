import { describe, expect, it } from "vitest";
import { repositoryFiles } from "./repository-files.ts";
import { readSyntax } from "./syntax.ts";

/** Packages in which no file imports itself through others. */
const packages = [
  ...["sdks/protocol", "sdks/node", "sdks/agent", "sdks/mcp"],
  ...["services/storage", "services/engine", "services/gateway", "services/vendors", "services/analyzer"],
  ...["services/web", "services/server"],
];

type Graph = ReadonlyMap<string, readonly string[]>;

function importsOf(folder: string): Graph {
  const files = repositoryFiles(`${folder}/src/**/*.{ts,tsx}`);
  return new Map(files.map((file) => [file, readSyntax(file).imports.map(({ target }) => target)]));
}

/** The files that import each other in a circle, types included: those that are left when all that import none of the rest are gone. */
function inCircles(graph: Graph): string[] {
  const left = new Set(graph.keys());
  const isEnd = (file: string): boolean => !(graph.get(file) ?? []).some((target) => left.has(target));
  const isStart = (file: string): boolean => ![...left].some((other) => graph.get(other)?.includes(file));
  for (let count = Number.POSITIVE_INFINITY; left.size < count; ) {
    count = left.size;
    for (const file of [...left]) if (isEnd(file) || isStart(file)) left.delete(file);
  }
  return [...left].toSorted();
}

describe("no file imports itself through others, types included", () => {
  it.each(packages)("in %s", (folder) => {
    expect(inCircles(importsOf(folder))).toEqual([]);
  });
});

describe("a circle", () => {
  it("is found among files that lead to it and away from it", () => {
    const graph = new Map([
      ["a", ["b"]],
      ["b", ["c"]],
      ["c", ["b", "d"]],
      ["d", []],
    ]);
    expect(inCircles(graph)).toEqual(["b", "c"]);
  });
});
