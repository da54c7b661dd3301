import { SourceText } from "../source/source-text.ts";
import { type GivenName, givenNames, setVariables } from "./code/given-names.ts";
import type { LanguageReader } from "./code/ir.ts";
import { indexProgram } from "./code/program.ts";
import type { Around, Dialect } from "./dialects/dialect.ts";
import { readersOf } from "./languages.ts";

/** What lines of a code file give a value, and define. Lines count from 1. */
export interface ReadLines {
  readonly names: readonly GivenName[];
  /** The code that each variable is set to. */
  readonly variables: ReadonlyMap<string, string>;
}

/** Reads lines of a code file apart from the rest of it; nothing in a language that isn't read. */
export type ReadLinesApart = (path: string, lines: readonly string[]) => ReadLines;

const nothing: ReadLines = { names: [], variables: new Map() };

/** Loads what reads lines of files with these paths. */
export async function lineReader(paths: readonly string[]): Promise<ReadLinesApart> {
  const readers = await readersOf(paths);
  const known = new Map<readonly string[], ReadLines>();
  return (path, lines) => {
    const [dialect, reader] = [...readers].find(([{ endings }]) => endings.test(path)) ?? [];
    if (!dialect || !reader) return nothing;
    const read = known.get(lines) ?? readApart(path, lines, dialect, reader);
    known.set(lines, read);
    return read;
  };
}

function readApart(path: string, lines: readonly string[], dialect: Dialect, reader: LanguageReader): ReadLines {
  const text = whole(path, outdented(lines), dialect, reader);
  const tree = reader.lower(path, text);
  if (!tree) return nothing;
  const program = indexProgram(new SourceText("source_file", path, text), dialect, tree, true);
  const names = givenNames(program).map((one) => ({ ...one, line: one.line - 1 }));
  return { names: names.filter(({ line }) => line >= 1 && line <= lines.length), variables: setVariables(program) };
}

/**
 * Returns lines as a text that the language's grammar takes, if there is one: between what may stand around them, in a
 * line above and a line below.
 */
function whole(path: string, lines: string, { around }: Dialect, { isWellFormed }: LanguageReader): string {
  const { opens, closes } = bracketsAround(lines);
  const between = ([before, after]: Around): string => `${before}\n${opens}${lines}${closes}\n${after}\n`;
  const { entries, statements, entryEnd } = around;
  const texts = (entryEnd.test(lines) ? [...entries, ...statements] : [...statements, ...entries]).map(between);
  return texts.find((text) => isWellFormed(path, text)) ?? between(around.otherwise);
}

const closing: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);
/** What a call begins with: brackets alone hold one value. */
const opening: ReadonlyMap<string, string> = new Map([
  [")", "_("],
  ["]", "["],
  ["}", "{"],
]);

/** Returns the brackets that the lines close before they open them, and those that they leave open. */
function bracketsAround(lines: string): { readonly opens: string; readonly closes: string } {
  const open: string[] = [];
  let opens = "";
  for (const char of lines) {
    const close = closing.get(char);
    if (close !== undefined) open.push(close);
    else if (open.at(-1) === char) open.pop();
    else if (open.length === 0) opens = (opening.get(char) ?? "") + opens;
  }
  return { opens, closes: open.toReversed().join("") };
}

/** Takes off the indentation that all lines share. */
function outdented(lines: readonly string[]): string {
  const indents = lines.flatMap((line) => (line.trim() === "" ? [] : line.length - line.trimStart().length));
  const shared = Math.min(...indents, Number.MAX_SAFE_INTEGER);
  return lines.map((line) => line.slice(shared)).join("\n");
}
