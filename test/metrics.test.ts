import { describe, expect, it } from "vitest";
import { readRepositoryFile, repositoryFiles } from "./repository-files.ts";

/** Matches `name: "whence_…", help: "…"`, as every metric is defined. */
const defined = /name: "(whence_\w+)",\s*help: (?:"([^"]+)"|`([^`]+)`)/g;
const inline = /perTopic\("(whence_\w+)", "([^"]+)"/g;

const metrics = repositoryFiles("services/*/src/**/metrics.ts").flatMap((file) => {
  const text = readRepositoryFile(file);
  return [...text.matchAll(defined), ...text.matchAll(inline)].map(([, name = "", plain, template = ""]) => ({
    name,
    help: plain ?? template.replaceAll(/\$\{\w+\}/g, "1000"),
  }));
});

const documented = [...readRepositoryFile("docs/operations.md").matchAll(/^\| `(whence_\w+)` +\| (.+?) +\|$/gm)].map(
  ([, name = "", cells = ""]) => ({ name, help: cells.split(/ +\| /).at(-1) ?? "" }),
);

const byName = (left: { name: string }, right: { name: string }): number => left.name.localeCompare(right.name);

describe("docs/operations.md", () => {
  it("lists every metric of the service with its help text, and nothing else", () => {
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
