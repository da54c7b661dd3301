import type { Clue, CodePlace, EventFacts, LocatedFrame, ParsedError, ParsedException } from "../findings.ts";
import type { SourceText } from "../source-text.ts";
import { findBrokenData } from "./data-files.ts";
import { javascript } from "./languages/javascript/javascript.ts";
import type { Language } from "./languages/language.ts";
import { findLiterals } from "./literals.ts";
import { SourceFiles, windowsOf } from "./source-files.ts";

/** Where in the given code the error happened, and what is to be seen there. */
export interface Located {
  readonly frames: readonly LocatedFrame[];
  readonly clues: readonly Clue[];
}

/** Maps frames to the code that was given, and follows the failing expression backwards through it. */
export function locate(error: ParsedError, event: EventFacts | null, files: readonly SourceText[]): Located {
  const chain = error.chain.flatMap((index) => {
    const exception = error.exceptions[index];
    return exception ? [{ index, exception }] : [];
  });
  const sources = new SourceFiles(files, windowsOf(chain.flatMap(({ exception }) => exception.frames)));
  const languages = [javascript(sources)];
  const located = chain.map(({ index, exception }) => ({
    exception,
    frames: locateFrames(index, exception, sources, languages),
  }));
  const clues = languages.flatMap((language) => language.clues({ error, event, chain: located }));
  return {
    frames: located.flatMap(({ frames }) => frames),
    clues: [...clues, ...findLiterals(error, files), ...findBrokenData(error, files)],
  };
}

function locateFrames(
  index: number,
  exception: ParsedException,
  sources: SourceFiles,
  languages: readonly Language[],
): LocatedFrame[] {
  const { throwSite, frames } = exception;
  const first = frames[0];
  const isPrinted = !throwSite || frames.some(({ file, line }) => file === throwSite.file && line === throwSite.line);
  const site = isPrinted || !throwSite || sources.find(throwSite.file, throwSite.line) === null ? [] : [throwSite];
  // A syntax error happens in a file that is not on the stack yet.
  const shown = site.map(({ file, line, column }) => ({
    function: null,
    file,
    line,
    column,
    origin: "app" as const,
    async: false,
    printed: first?.printed ?? null,
    context: null,
  }));
  return [...shown, ...frames].map((frame, position) => {
    const source = frame.file !== null && frame.line !== null ? sources.find(frame.file, frame.line) : null;
    const place =
      source && frame.line !== null ? placeOf(source, frame.line, frame.column, frame.function, languages) : null;
    return { exception: index, index: position, frame, file: source?.name ?? frame.file ?? "<unknown>", place };
  });
}

function placeOf(
  source: SourceText,
  line: number,
  column: number | null,
  printed: string | null,
  languages: readonly Language[],
): CodePlace {
  const { start, end } = source.lines(line, line);
  const indent = /^\s*/.exec(source.text.slice(start, end))?.[0].length ?? 0;
  const position = column === null ? start + indent : Math.min(start + column - 1, end);
  const language = languages.find(({ reads }) => reads(source.name));
  const name = language?.functionAt(source, position) ?? null;
  return { file: source.name, line, function: name ?? lastName(printed), source };
}

/** `get` of `Request.get`; nothing of `Object.<anonymous>`. */
export function lastName(printed: string | null): string | null {
  const last = printed?.split(/[.\s]/).at(-1) ?? null;
  return last === null || last.startsWith("<") ? null : last;
}
