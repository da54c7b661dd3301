import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { treeOf } from "./case-tree.ts";
import { isOnStack, type RecordedCase, type Truth } from "./cases.ts";
import type { CaseFile } from "./corpora/case-files.ts";

/** The record of one of our own cases, above its files. */
export interface OwnRecord {
  readonly kind: string;
  /** `javascript` by default. */
  readonly language?: string;
  /** The JavaScript program that fails, or the shell line that builds and runs one in another language. */
  readonly entry?: string;
  readonly shell?: string;
  readonly node?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** `line` is part of the line's text. */
  readonly truth: Omit<Truth, "line_start" | "line_end"> & { readonly line: string };
  readonly also?: RecordedCase["also"];
}

export interface OwnCase {
  readonly path: string;
  readonly record: OwnRecord;
  readonly files: readonly CaseFile[];
  /** The program's stderr; undefined until it was recorded. */
  readonly errorLog: string | undefined;
}

/** The heading of the section with the log; the others are named by their file. */
export const logSection = "error.log";
/** Stands for `node_modules` in the cases, which tools ignore. */
const modules = "modules/";

/** Reads the cases next to this file: one text each, with its record, its files, and its recorded log. */
export function readOwnCases(): OwnCase[] {
  const folder = join(import.meta.dirname, "cases");
  return readdirSync(folder)
    .sort()
    .map((name) => parseOwnCase(join(folder, name)));
}

function parseOwnCase(path: string): OwnCase {
  const [head = "", ...sections] = readFileSync(path, "utf8").split(/^==== /m);
  const record: OwnRecord = JSON.parse(head);
  const texts = sections.map((section) => {
    const end = section.indexOf("\n");
    const name = section.slice(0, end);
    return {
      name: name.startsWith(modules) ? `node_modules/${name.slice(modules.length)}` : name,
      content: section.slice(end + 1),
    };
  });
  return {
    path,
    record,
    files: texts.filter(({ name }) => name !== logSection).sort((left, right) => (left.name < right.name ? -1 : 1)),
    errorLog: texts.find(({ name }) => name === logSection)?.content,
  };
}

/** Every recorded case, as the benchmark's own. */
export function ownCases(): RecordedCase[] {
  return readOwnCases().map(({ path, record, files, errorLog }) => {
    if (errorLog === undefined) throw new Error(`${path} has no log yet: node bench/rca/record.ts`);
    const { line, ...truth } = record.truth;
    const number = lineOf(files, truth.file, line);
    const places = { truth: { ...truth, line_start: number, line_end: number }, also: record.also ?? [] };
    const id = basename(path, ".txt");
    return {
      ...{ id, corpus: "own", group: id, language: record.language ?? "javascript", errorLog, ...places },
      ...{ tree: treeOf(files), isOtherVersion: false },
      kind: record.kind === "npm-bug" ? "package" : "service",
      onStack: isOnStack(errorLog, places),
    };
  });
}

function lineOf(files: readonly CaseFile[], name: string, text: string): number {
  const lines = files.find((file) => file.name === name)?.content.split("\n") ?? [];
  const index = lines.findIndex((line) => line.includes(text));
  if (index < 0) throw new Error(`${name} has no line with ${text}`);
  return index + 1;
}
