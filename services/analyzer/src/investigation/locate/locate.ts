import type { Clue, CodePlace, EventFacts, LocatedFrame, ParsedError, ParsedException } from "../findings.ts";
import { inlineCode } from "../prose.ts";
import type { SourceText } from "../source-text.ts";
import { findBrokenData } from "./data-files.ts";
import { asyncNames, findUnawaited } from "./javascript/promises.ts";
import { findUnreleased } from "./javascript/resources.ts";
import { functionNameAt, type Structure, tokensOfLine } from "./javascript/structure.ts";
import { findLiterals } from "./literals.ts";
import { SourceFiles, windowsOf } from "./source-files.ts";
import { suspect } from "./subjects.ts";
import { Trace } from "./trace.ts";

/** Where in the given code the error happened, and what is to be seen there. */
export interface Located {
  readonly frames: readonly LocatedFrame[];
  readonly clues: readonly Clue[];
}

/** Subjects of one throw site that are followed: a call with a hundred arguments is no better a suspect for it. */
const subjectsMax = 8;
/** Frames whose calls are looked at, beginning with the innermost that the text shows. */
const framesFollowedMax = 3;

/** Maps frames to the code that was given, and follows the failing expression backwards through it. */
export function locate(error: ParsedError, event: EventFacts | null, files: readonly SourceText[]): Located {
  const chain = error.chain.flatMap((index) => {
    const exception = error.exceptions[index];
    return exception ? [{ index, exception }] : [];
  });
  const sources = new SourceFiles(files, windowsOf(chain.flatMap(({ exception }) => exception.frames)));
  const frames = chain.flatMap(({ index, exception }) => locateFrames(index, exception, sources));
  const clues = chain.flatMap(({ index, exception }) =>
    followError(
      exception,
      frames.filter((frame) => frame.exception === index),
      sources,
    ),
  );
  return {
    frames,
    clues: [
      ...clues,
      ...promises(sources, event),
      ...resources(sources),
      ...findLiterals(error, files),
      ...findBrokenData(error, files),
    ],
  };
}

function locateFrames(index: number, exception: ParsedException, sources: SourceFiles): LocatedFrame[] {
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
      source && frame.line !== null ? placeOf(source, frame.line, frame.column, frame.function, sources) : null;
    return { exception: index, index: position, frame, file: source?.name ?? frame.file ?? "<unknown>", place };
  });
}

function placeOf(
  source: SourceText,
  line: number,
  column: number | null,
  printed: string | null,
  sources: SourceFiles,
): CodePlace {
  const structure = sources.structure(source);
  const tokens = structure && tokensOfLine(structure, line);
  const position = source.lines(line, line).start + (column ?? 1) - 1;
  const at = structure && tokens ? tokenAt(structure, tokens, position) : null;
  const name = structure && at !== null ? functionNameAt(structure, at) : null;
  return { file: source.name, line, function: name ?? lastName(printed), source };
}

function tokenAt({ tokens }: Structure, { start, end }: { start: number; end: number }, position: number): number {
  for (let index = end - 1; index > start; index--) if ((tokens[index]?.start ?? 0) <= position) return index;
  return start;
}

/** `get` of `Request.get`; nothing of `Object.<anonymous>`. */
export function lastName(printed: string | null): string | null {
  const last = printed?.split(/[.\s]/).at(-1) ?? null;
  return last === null || last.startsWith("<") ? null : last;
}

function followError(exception: ParsedException, frames: readonly LocatedFrame[], sources: SourceFiles): Clue[] {
  const shown = frames.filter(({ place }) => place !== null).slice(0, framesFollowedMax);
  const clues: Clue[] = [];
  for (const located of shown) {
    const suspicion = suspect(exception, located, sources);
    if (!located.place || !suspicion) continue;
    const site: Clue = {
      kind: suspicion.kind,
      place: located.place,
      subject: exception.type,
      says: suspicion.says,
      steps: 0,
      how: null,
      isEnd: false,
    };
    const followed = suspicion.subjects
      .slice(0, subjectsMax)
      .flatMap((subject) => [...new Trace(sources, frames).follow(subject)]);
    clues.push(site, ...followed);
    // The trail leads into the callers by itself; only when there is none their calls are looked at.
    if (followed.length > 0) break;
  }
  return clues;
}

/** Promises that nobody waits for, in code that is the user's own. */
function promises(sources: SourceFiles, event: EventFacts | null): Clue[] {
  const own = sources.structures().filter(({ source }) => !isInstalled(source));
  const names = new Set(own.flatMap(asyncNames));
  return own.flatMap((structure) =>
    findUnawaited(structure, (name) => names.has(name)).map((call): Clue => {
      const says =
        call.how === "forgotten"
          ? `nothing awaits ${inlineCode(call.callee)}: when it rejects, nobody hears of it`
          : `the promise of ${inlineCode(call.callee)} is used as if it were its value`;
      return {
        kind: "unawaited-call",
        place: at(structure, call.at, call.line),
        subject: call.callee,
        says,
        steps: event?.mechanism.type === "unhandledRejection" ? 0 : 1,
        how: null,
        isEnd: false,
      };
    }),
  );
}

function resources(sources: SourceFiles): Clue[] {
  const own = sources.structures().filter(({ source }) => !isInstalled(source));
  return own.flatMap((structure) =>
    findUnreleased(structure).map((leak): Clue => {
      const says =
        leak.leavesAt === null
          ? `what ${inlineCode(leak.acquire)} gives is not released in a \`finally\``
          : `line ${leak.leavesAt} can leave before what ${inlineCode(leak.acquire)} gave is released`;
      return {
        kind: "unreleased-resource",
        place: at(structure, leak.at, leak.line),
        subject: leak.acquire,
        says,
        steps: 0,
        how: null,
        isEnd: false,
      };
    }),
  );
}

function at(structure: Structure, token: number, line: number): CodePlace {
  return { file: structure.source.name, line, function: functionNameAt(structure, token), source: structure.source };
}

function isInstalled({ name }: SourceText): boolean {
  return `/${name}`.includes("/node_modules/");
}
