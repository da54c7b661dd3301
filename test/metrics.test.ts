import { describe, expect, it } from "vitest";
import { readRepositoryFile, repositoryFiles } from "./repository-files.ts";

/** Matches `name: "whence_…", help: "…"` and the labels, as every metric is defined. */
const defined = /name: "(whence_\w+)",\s*help: (?:"([^"]+)"|`([^`]+)`)(?:,\s*labelNames: \[([^\]]*)\])?/g;
const inline = /perTopic\("(whence_\w+)", "([^"]+)"/g;

const wordsIn = (cell: string): readonly string[] => cell.match(/\w+/g) ?? [];

const metrics = repositoryFiles("services/*/src/**/metrics.ts").flatMap((file) => {
  const text = readRepositoryFile(file);
  const own = [...text.matchAll(defined)].map(([, name = "", plain, template = "", labels = ""]) => ({
    name,
    labels: wordsIn(labels),
    help: plain ?? template.replaceAll(/\$\{\w+\}/g, "1000"),
  }));
  const ofTopics = [...text.matchAll(inline)].map(([, name = "", help = ""]) => ({ name, labels: ["topic"], help }));
  return [...own, ...ofTopics];
});

const documented = [
  ...readRepositoryFile("docs/operations.md").matchAll(/^\| `(whence_\w+)` +\| \w+ +\| ([^|]*)\| (.+?) +\|$/gm),
].map(([, name = "", labels = "", help = ""]) => ({ name, labels: wordsIn(labels), help }));

const byName = (left: { name: string }, right: { name: string }): number => left.name.localeCompare(right.name);

describe("docs/operations.md", () => {
  it("lists every metric of the service with its labels and help text, and nothing else", () => {
    expect(metrics.length).toBeGreaterThan(20);
    expect(documented.toSorted(byName)).toEqual(metrics.toSorted(byName));
  });

  it("isn't contradicted elsewhere: every metric named there exists", () => {
    const known = new Set(metrics.map(({ name }) => name));
    const named = repositoryFiles("docs/**/*.md", "deploy/**/*.{conf,xml,env,yaml,json}").flatMap((file) =>
      [...readRepositoryFile(file).matchAll(/whence_(?!backup)[a-z]+_[a-z_]+/g)].map(([name]) => name),
    );
    expect(named.filter((name) => !known.has(name.replace(/_(bucket|sum|count)$/, "")))).toEqual([]);
  });
});
