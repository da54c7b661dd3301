import type {
  Clue,
  CodePlace,
  EventFacts,
  LocatedFrame,
  ParsedError,
  ParsedException,
  ParsedFrame,
} from "../findings.ts";
import type { SourceText } from "../source-text.ts";
import { findBrokenData } from "./data-files.ts";
import type { Language } from "./languages/language.ts";
import { languagesOf } from "./languages/languages.ts";
import { findLiterals } from "./literals.ts";
import { SourceFiles, windowsOf } from "./source-files.ts";
import { SourceMaps } from "./source-maps.ts";
import type { LeftOut } from "./traced.ts";

/** Where in the given code the error happened, and what is to be seen there. */
export interface Located {
  readonly frames: readonly LocatedFrame[];
  readonly clues: readonly Clue[];
  /** Code that was given and not read, or only in part, and why. */
  readonly leftOut: readonly LeftOut[];
}

/** Maps frames to the code that was given, and follows the failing expression backwards through it. */
export async function locate(
  error: ParsedError,
  event: EventFacts | null,
  files: readonly SourceText[],
): Promise<Located> {
  const chain = error.chain.flatMap((index) => {
    const exception = error.exceptions[index];
    return exception ? [{ index, exception }] : [];
  });
  const sources = new SourceFiles(files, windowsOf(chain.flatMap(({ exception }) => exception.frames)));
  const maps = new SourceMaps(sources);
  const spotted = chain.map(({ index, exception }) => ({
    exception,
    spots: spotFrames(index, exception, sources, maps),
  }));
  const languages = await languagesOf(sources, positionsOn(spotted.flatMap(({ spots }) => spots)));
  const located = spotted.map(({ exception, spots }) => ({
    exception,
    frames: spots.map(({ spot, ...frame }) => ({ ...frame, place: spot && placeOf(spot, frame.frame, languages) })),
  }));
  const clues = languages.flatMap((language) => language.clues({ error, event, chain: located }));
  return {
    frames: located.flatMap(({ frames }) => frames),
    clues: [...clues, ...findLiterals(error, files), ...findBrokenData(error, files)],
    leftOut: languages.flatMap((language) => language.leftOut?.() ?? []),
  };
}

/** A frame whose text was found, or not. */
type SpottedFrame = Omit<LocatedFrame, "place"> & { readonly spot: Spot | null };

/** Where in a text a frame is. */
interface Spot {
  readonly source: SourceText;
  readonly line: number;
  readonly position: number;
}

function spotFrames(index: number, exception: ParsedException, sources: SourceFiles, maps: SourceMaps): SpottedFrame[] {
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
      const spot = spotAt(original.source, original.line, original.column);
      const mapped = { ...frame, file: original.source.name, line: original.line, column: original.column };
      return { exception: index, index: position, frame: mapped, file: original.source.name, spot };
    }
    const source = file !== null && line !== null ? sources.find(file, line) : null;
    const spot = source && line !== null ? spotAt(source, line, column) : null;
    return { exception: index, index: position, frame, file: source?.name ?? file ?? "<unknown>", spot };
  });
}

function spotAt(source: SourceText, line: number, column: number | null): Spot {
  const { start, end } = source.lines(line, line);
  const indent = /^\s*/.exec(source.text.slice(start, end))?.[0].length ?? 0;
  return { source, line, position: column === null ? start + indent : Math.min(start + column - 1, end) };
}

/** The positions that the stack names in each text, innermost first. */
function positionsOn(spots: readonly SpottedFrame[]): ReadonlyMap<SourceText, readonly number[]> {
  const found = spots.flatMap(({ spot }) => (spot ? [spot] : []));
  const groups = Map.groupBy(found, ({ source }) => source);
  return new Map([...groups].map(([source, group]) => [source, group.map(({ position }) => position)]));
}

function placeOf(
  { source, line, position }: Spot,
  { function: printed }: ParsedFrame,
  languages: readonly Language[],
): CodePlace {
  const language = languages.find(({ reads }) => reads(source.name));
  const name = language?.functionAt(source, position) ?? null;
  return { file: source.name, line, function: name ?? lastName(printed), source };
}

/** `get` of `Request.get`; nothing of `Object.<anonymous>`. */
export function lastName(printed: string | null): string | null {
  const last = printed?.split(/[.\s]/).at(-1) ?? null;
  return last === null || last.startsWith("<") ? null : last;
}
