import type { LocatedFrame } from "../findings/located-frame.ts";
import type { ParsedError } from "../findings/parsed-error.ts";
import { type AnyCodeSignal, decisiveWeight, isTrained } from "../signals/signal.ts";
import { isManifest } from "../source/project-names.ts";
import { innermostSpan, type SourceText } from "../source/source-text.ts";
import type { SlicePiece } from "../trace/slice/backward-slice.ts";
import type { CodeFile, CodeFunction, Traced } from "../trace/traced.ts";
import { type Project, projectOf } from "./project.ts";
import { recursionFirst } from "./recursion-first.ts";
import { identifiersIn, rarityOf } from "./words.ts";

/** A file that may contain the cause, and everything known about it. */
export interface FileView {
  readonly name: string;
  /** Null when only the stack names it. */
  readonly source: SourceText | null;
  readonly code: CodeFile | null;
  /** Its frames, the innermost first. */
  readonly frames: readonly LocatedFrame[];
  /** Those that features count. */
  readonly signals: readonly AnyCodeSignal[];
  readonly words: ReadonlySet<string>;
  /** What the failure depends on in it. */
  readonly slice: readonly SlicePiece[];
}

/** Returns a file with only its name known. */
export function unreadView(name: string): FileView {
  return { name, source: null, code: null, frames: [], signals: [], words: new Set(), slice: [] };
}

/** A frame of the error's stack in a file. */
export interface StackEntry {
  readonly frame: LocatedFrame;
  readonly view: FileView;
  /** The function that the frame is in, when it was read. */
  readonly function: CodeFunction | null;
}

/** The input of the ranking: the files, the stack through them, and how telling each word is. */
export interface FailureView {
  readonly error: ParsedError;
  readonly files: readonly FileView[];
  /** The frames in files, with the innermost error first and, within it, the innermost call first. */
  readonly stack: readonly StackEntry[];
  readonly signals: readonly AnyCodeSignal[];
  readonly project: Project;
  /** Frames that only wrapped an error in another one. */
  readonly wraps: readonly LocatedFrame[];
  /** Returns how telling a word is among the files, from 0 to 1. */
  readonly rarity: (word: string) => number;
}

/** How much of a file is searched for words: a larger file is generated code. */
const searchedUnitsMax = 200_000;
/** Evaluated code, templates, and the runtime's pseudo-files, which a person can't open; `[...]/` leaves out folders. */
const pseudoFile =
  /^<|^\[[^\]]*\]?(?!.*\/)|^evalmachine|^eval at|^node:|^internal\/|^native$|^anonymous$|^webpack:\/\/\/?$|^wasm:|^stringsource$/;

/** Collects what the trace shows about each file that was given or that the stack names. */
export function viewFailure(error: ParsedError, traced: Traced, all: readonly SourceText[]): FailureView {
  const shown = traced.frames.filter(({ file, frame }) => frame.origin !== "runtime" && isFile(file));
  const frames = recursionFirst(shown, error);
  const code = new Map(traced.files.map((file) => [file.source.name, file]));
  const framesOf = Map.groupBy(frames, ({ file }) => file);
  const signals = traced.signals.filter(({ kind }) => isTrained(kind));
  const signalsOf = Map.groupBy(signals, ({ subject }) => subject.file);
  // A manifest only says whose the code is, unless it explains the failure. Words of a message are in many.
  const explains = (signal: AnyCodeSignal): boolean => decisiveWeight(signal, { isUnhandledRejection: false }) > 0;
  const isLedTo = (name: string): boolean => framesOf.has(name) || signalsOf.get(name)?.some(explains) === true;
  // A source map is never the cause: it leads to the code that is.
  const given = all.filter(({ name }) => !name.endsWith(".map") && (!isManifest(name) || isLedTo(name)));
  const names = [...new Set([...frames.map(({ file }) => file), ...given.map(({ name }) => name)])];
  const sources = new Map(given.map((source) => [source.name, source]));
  const files = names.map((name): FileView => {
    const source =
      sources.get(name) ??
      code.get(name)?.source ??
      framesOf.get(name)?.find(({ place }) => place)?.place?.source ??
      null;
    return {
      name,
      source,
      code: code.get(name) ?? null,
      frames: framesOf.get(name) ?? [],
      signals: signalsOf.get(name) ?? [],
      words: identifiersIn(source?.text.slice(0, searchedUnitsMax) ?? ""),
      slice: (source && traced.slice.get(source)) ?? [],
    };
  });
  const views = new Map(files.map((view) => [view.name, view]));
  return {
    error,
    files,
    stack: inOrder(error, frames).flatMap((frame) => {
      const view = views.get(frame.file);
      return view ? [{ frame, view, function: functionAt(view, frame) }] : [];
    }),
    signals,
    project: projectOf(frames, all),
    wraps: traced.wraps,
    rarity: memoized((word) =>
      rarityOf(
        word,
        files.map(({ words }) => words),
      ),
    ),
  };
}

/** Returns whether a name on the stack can be a file that a person opens and changes. */
export function isFile(name: string): boolean {
  return !pseudoFile.test(name);
}

/** Puts the stack of the innermost error first, because it is closest to the cause. */
function inOrder(error: ParsedError, frames: readonly LocatedFrame[]): LocatedFrame[] {
  return error.chain.toReversed().flatMap((index) => frames.filter(({ exception }) => exception === index));
}

/** Returns the innermost function around a frame's line. */
function functionAt({ code }: FileView, { place }: LocatedFrame): CodeFunction | null {
  if (!code || !place) return null;
  return innermostSpan(code.functions, code.source.codeStart(place.line));
}

function memoized(find: (word: string) => number): (word: string) => number {
  const known = new Map<string, number>();
  return (word) => {
    const value = known.get(word) ?? find(word);
    known.set(word, value);
    return value;
  };
}
