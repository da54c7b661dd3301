import ts from "typescript";
import { describe, expect, it } from "vitest";
import { readRepositoryFile, repositoryFiles } from "./repository-files.ts";

const engine = "services/engine/src/";
/** A language's own files, and the lists that they are entered in. */
const tables = [
  ...["source/languages/", "parse/formats/", "parse/formats.ts"],
  ...["trace/dialects/", "trace/languages.ts", "trace/lower/", "trace/runtime-messages/"],
].map((path) => `${engine}${path}`);

/** Languages have the names of their files. */
const languages = new Set(
  repositoryFiles(`${engine}{source/languages,trace/dialects}/*.ts`)
    .map((file) => file.replace(/^.*\/|\.ts$/g, ""))
    .filter((name) => !["language", "languages", "dialect"].includes(name)),
);

/** The places where a text is the name of a language. */
function namedIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && languages.has(node.text))
      found.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1} names ${node.text}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe("a language", () => {
  it("is named only in its own files and in the lists that they are entered in", () => {
    const others = repositoryFiles(`${engine}**/*.ts`).filter(
      (file) => !tables.some((table) => file.startsWith(table)),
    );
    expect(others.flatMap((file) => namedIn(file, readRepositoryFile(file)))).toEqual([]);
  });

  it("is found where its name is compared", () => {
    expect(languages).toContain("python");
    expect(namedIn("a.ts", 'const isPython = language === "python";')).toEqual(["a.ts:1 names python"]);
  });
});
