import { existsSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { CorpusCase } from "./corpus-case.ts";
import { publishedPackage } from "./published-package.ts";

export interface CaseFile {
  /** Relative to `/app`. */
  readonly name: string;
  readonly content: string;
}

type LineEdit = NonNullable<CorpusCase["edits"]>[number];

/** The apps whose sources lie in this repository: `services/<name>` and `drivers/<name>`. */
const appsFolder = resolve(import.meta.dirname, "../mutate");
const ownSource = /^(services|drivers)\//;

/**
 * The files of a case as they were when it failed: read from the packages and services it names, with its edits
 * applied. Packages are fetched when they aren't in the cache.
 *
 * @throws {Error} when none of the case's sources holds a file.
 */
export function readCaseFiles(read: CorpusCase): CaseFile[] {
  return read.files.map((name) => {
    const edits = (read.edits ?? []).filter(({ file }) => file === name);
    return { name, content: applyLineEdits(readFileSync(sourceOf(read, name), "utf8"), edits) };
  });
}

/** Replaces lines. The numbers of all edits are those before any edit; an empty text removes the lines. */
export function applyLineEdits(source: string, edits: readonly LineEdit[]): string {
  const lines = source.split("\n");
  for (const { line_start, line_end, text } of edits.toSorted((left, right) => right.line_start - left.line_start))
    lines.splice(line_start - 1, line_end - line_start + 1, ...(text === "" ? [] : text.split("\n")));
  return lines.join("\n");
}

function sourceOf(read: CorpusCase, name: string): string {
  const deepestFirst = read.sources.toSorted((left, right) => right.folder.length - left.folder.length);
  for (const { folder, from } of deepestFirst) {
    const within = relative(folder, name);
    if (within.startsWith("..")) continue;
    const path = join(sourceFolder(read, from), within);
    if (existsSync(path)) return path;
  }
  throw new Error(`${name} of case ${read.id} is in none of its sources.`);
}

function sourceFolder(read: CorpusCase, from: string): string {
  if (ownSource.test(from)) return join(appsFolder, from);
  return publishedPackage(read.language === "python" ? "pypi" : "npm", from);
}
