import { SourceText } from "../source/source-text.ts";
import { type GivenName, givenNames, setVariables } from "./code/given-names.ts";
import type { LanguageReader } from "./code/ir.ts";
import { indexProgram } from "./code/program.ts";
import type { Dialect } from "./dialects/dialect.ts";
import { readersOf } from "./languages.ts";

/** The names that lines of a code file assign and define. Lines are numbered from 1. */
export interface ReadLines {
  readonly names: readonly GivenName[];
  /** The code that each variable is set to. */
  readonly variables: ReadonlyMap<string, string>;
}

/**
 * Reads lines of a code file without the rest of it. Returns nothing for a language that isn't read, and null where the
 * lines don't parse or take too long, so that their meaning is uncertain.
 */
export type ReadLinesApart = (path: string, lines: readonly string[]) => ReadLines | null;

const nothing: ReadLines = { names: [], variables: new Map() };

/** Loads the reader of lines for files with these paths. */
export async function lineReader(paths: readonly string[]): Promise<ReadLinesApart> {
  const readers = await readersOf(paths);
  return (path, lines) => {
    const [dialect, reader] = [...readers].find(([{ endings }]) => endings.test(path)) ?? [];
    return dialect && reader ? readApart(path, lines, dialect, reader) : nothing;
  };
}

function readApart(path: string, lines: readonly string[], dialect: Dialect, reader: LanguageReader): ReadLines | null {
  const text = whole(path, outdented(lines), dialect, reader);
  const tree = text === null ? null : reader.lower(path, text);
  if (text === null || !tree) return null;
  const program = indexProgram(new SourceText("source_file", path, text), dialect, tree, true);
  const names = givenNames(program).map((one) => ({ ...one, line: one.line - 1 }));
  return { names: names.filter(({ line }) => line >= 1 && line <= lines.length), variables: setVariables(program) };
}

/**
 * Returns lines as a text that the language's grammar takes: between what may stand around them, in a line above and a
 * line below. Null if there is none.
 */
function whole(path: string, lines: string, { around }: Dialect, { isWellFormed }: LanguageReader): string | null {
  const { entries, statements, entryEnd } = around;
  const contexts = entryEnd.test(lines) ? [...entries, ...statements] : [...statements, ...entries];
  const pieces = [...new Set([lines, withBrackets(lines)])];
  const texts = pieces.flatMap((piece) => contexts.map(([before, after]) => `${before}\n${piece}\n${after}\n`));
  return texts.find((text) => isWellFormed(path, text)) ?? null;
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

/** Texts in quotes, whose brackets are of no code. */
const quoted = /(["'`])(?:\\.|(?!\1)[^\\\n])*\1/g;

/** Returns lines with the brackets that they close but don't open, and those that they leave open. */
function withBrackets(lines: string): string {
  const open: string[] = [];
  let opens = "";
  for (const char of lines.replace(quoted, "")) {
    const close = closing.get(char);
    if (close !== undefined) open.push(close);
    else if (open.at(-1) === char) open.pop();
    else if (open.length === 0) opens = (opening.get(char) ?? "") + opens;
  }
  return `${opens}${lines}${open.toReversed().join("")}`;
}

/** Takes off the indentation that all lines share. */
function outdented(lines: readonly string[]): string {
  const indents = lines.flatMap((line) => (line.trim() === "" ? [] : line.length - line.trimStart().length));
  const shared = Math.min(...indents, Number.MAX_SAFE_INTEGER);
  return lines.map((line) => line.slice(shared)).join("\n");
}
