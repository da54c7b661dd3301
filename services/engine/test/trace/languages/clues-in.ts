import type { Clue } from "../../../src/findings.ts";
import { parseText } from "../../../src/parse/parse.ts";
import { SourceText } from "../../../src/source-text.ts";
import { locate } from "../../../src/trace/trace-error.ts";

type Files = Readonly<Record<string, string>>;

/** The clues about a log in some files. */
export async function cluesIn(log: string, files: Files): Promise<readonly Clue[]> {
  const sources = Object.entries(files).map(([name, text]) => new SourceText("source_file", name, text));
  return (await locate(parseText(log), null, sources)).clues;
}

/** What is said about the throw site. */
export async function saidOf(log: string, files: Files): Promise<string | undefined> {
  return (await cluesIn(log, files)).find(({ steps, rule }) => steps === 0 && rule === undefined)?.says;
}

/** Where the trails of the values end, as `how file:line`. */
export async function endsOf(log: string, files: Files): Promise<string[]> {
  const ends = (await cluesIn(log, files)).filter(({ isEnd, how }) => isEnd && how !== null);
  return ends.map(({ how, place }) => `${how} ${place.file}:${place.line}`);
}

/** What is suspicious, as `rule line`. */
export async function rulesIn(log: string, files: Files): Promise<string[]> {
  return (await cluesIn(log, files)).flatMap(({ rule, place }) =>
    rule === undefined ? [] : [`${rule} ${place.line}`],
  );
}

/** The names of the functions on the stack. */
export async function functionsOn(log: string, files: Files): Promise<(string | null | undefined)[]> {
  const sources = Object.entries(files).map(([name, text]) => new SourceText("source_file", name, text));
  return (await locate(parseText(log), null, sources)).frames.map(({ place }) => place?.function);
}
