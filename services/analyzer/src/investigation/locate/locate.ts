import type { Clue, CodePlace, EventFacts, LocatedFrame, ParsedError, ParsedException } from "../findings.ts";
import type { SourceText } from "../source-text.ts";
import { findBrokenData } from "./data-files.ts";
import { javascript } from "./languages/javascript/javascript.ts";
import type { Language } from "./languages/language.ts";
import { findLiterals } from "./literals.ts";
import { SourceFiles, windowsOf } from "./source-files.ts";
import { SourceMaps } from "./source-maps.ts";

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
  const maps = new SourceMaps(sources);
  const located = chain.map(({ index, exception }) => ({
    exception,
    frames: locateFrames(index, exception, { sources, maps, languages }),
  }));
  const clues = languages.flatMap((language) => language.clues({ error, event, chain: located }));
  return {
    frames: located.flatMap(({ frames }) => frames),
    clues: [...clues, ...findLiterals(error, files), ...findBrokenData(error, files)],
  };
}

/** What frames are looked up in. */
interface Material {
  readonly sources: SourceFiles;
  readonly maps: SourceMaps;
  readonly languages: readonly Language[];
}

function locateFrames(
  index: number,
  exception: ParsedException,
  { sources, maps, languages }: Material,
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
    const { file, line, column } = frame;
    const original = file !== null && line !== null ? maps.original(file, line, column ?? 1) : null;
    if (original) {
      const place = placeOf(original.source, original.line, original.column, frame.function, languages);
      const mapped = { ...frame, file: place.file, line: original.line, column: original.column };
      return { exception: index, index: position, frame: mapped, file: place.file, place };
    }
    const source = file !== null && line !== null ? sources.find(file, line) : null;
    const place = source && line !== null ? placeOf(source, line, column, frame.function, languages) : null;
    return { exception: index, index: position, frame, file: source?.name ?? file ?? "<unknown>", place };
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
