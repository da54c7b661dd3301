import { signalFeatures } from "../signals/code/ranking-features.ts";
import { type AnyCodeSignal, isOrigin } from "../signals/signal.ts";
import { innermostSpan } from "../source/source-text.ts";
import type { SlicePiece } from "../trace/slice/backward-slice.ts";
import type { CodeFunction } from "../trace/traced.ts";
import { countedConstructs } from "./composition-features.ts";
import type { FailureView, FileView } from "./file-view.ts";
import { identifiersIn, sharedWords } from "./words.ts";

/** A place in a file that may be the one to change. */
export interface FilePlace {
  /** 1-based; null when only the function is known. */
  readonly line: number | null;
  readonly function: string | null;
  /**
   * Whether the trail ends here at something wrong in itself: a missing setting, a forgotten await, an unreleased
   * resource.
   */
  readonly isOrigin: boolean;
  /** Whether the value only enters here, as a parameter, so that there is nothing to change. */
  readonly isTakenIn: boolean;
  /** Whether the innermost call in the file is here. */
  readonly isInnermost: boolean;
  /** Whether a signal leads here. */
  readonly isLed: boolean;
  readonly features: Readonly<Record<string, number>>;
}

interface Spot {
  readonly line: number | null;
  readonly function: string | null;
  readonly code: CodeFunction | null;
  readonly frameIndex: number | null;
  readonly signals: AnyCodeSignal[];
}

/** Signals within this distance of a frame, or of each other in a function, are one place. */
const linesApart = 1;
const functionsMax = 12;
/** Code that the failure depends on is no further place beyond this. */
const spotsMax = 24;

/** Returns the places of a file: its frames and signals, and the functions that the stack calls or names. */
export function placesIn(view: FileView, failure: FailureView): FilePlace[] {
  const spots: Spot[] = [];
  for (const [index, located] of view.frames.entries()) {
    const { frame, place } = located;
    if (failure.wraps.includes(located)) continue;
    spots.push({
      line: place?.line ?? frame.line,
      function: place?.function ?? frame.function,
      code: functionAtLine(view, place?.line ?? frame.line),
      frameIndex: index,
      signals: [],
    });
  }
  for (const signal of view.signals) addSignal(spots, view, signal);
  for (const piece of view.slice.toSorted((left, right) => right.weight - left.weight)) addPiece(spots, view, piece);
  for (const code of calledFunctions(view, failure)) {
    const line = view.source?.lineAt(code.start) ?? null;
    if (!spots.some((spot) => spot.code === code))
      spots.push({ line, function: code.name, code, frameIndex: null, signals: [] });
  }
  if (spots.length === 0) spots.push({ line: null, function: null, code: null, frameIndex: null, signals: [] });
  const message = identifiersIn(
    failure.error.chain.map((index) => failure.error.exceptions[index]?.message ?? "").join("\n"),
  );
  const innermost = spots.find(({ frameIndex }) => frameIndex !== null);
  return spots.map((spot) => ({
    line: spot.line,
    function: spot.function,
    isOrigin: spot.signals.some(isOrigin),
    isTakenIn: spot.frameIndex === null && spot.signals.length > 0 && spot.signals.every(isParameter),
    isInnermost: spot === innermost,
    isLed: spot.signals.length > 0,
    features: featuresOf(spot, view, failure, message),
  }));
}

function isParameter(signal: AnyCodeSignal): boolean {
  return signal.kind === "value-step" && signal.args.how === "parameter";
}

function addSignal(spots: Spot[], view: FileView, signal: AnyCodeSignal): void {
  const { line, function: name } = signal.subject;
  const known = spots.find(
    (spot) =>
      spot.line !== null &&
      Math.abs(spot.line - line) <= (isOrigin(signal) ? 0 : linesApart) &&
      (spot.function === name || spot.frameIndex !== null),
  );
  if (known) known.signals.push(signal);
  else
    spots.push({
      line,
      function: name,
      code: functionAtLine(view, line),
      frameIndex: null,
      signals: [signal],
    });
}

/** Adds a piece of the slice in code where no other place is. */
function addPiece(spots: Spot[], view: FileView, { start, kind }: SlicePiece): void {
  if (kind === "frame" || kind === "file" || !view.code || !view.source) return;
  const code = innermostSpan(view.code.functions, start);
  const known = spots.some((spot) => spot.code === code && (code !== null || spot.line === view.source?.lineAt(start)));
  if (known || spots.length >= spotsMax) return;
  spots.push({
    line: view.source.lineAt(start),
    function: code?.name ?? null,
    code,
    frameIndex: null,
    signals: [],
  });
}

function functionAtLine({ code }: FileView, line: number | null): CodeFunction | null {
  if (!code || line === null) return null;
  return innermostSpan(code.functions, code.source.codeStart(line));
}

/** Returns the functions of a file that functions on the stack call, or that their lines name. */
function calledFunctions({ code, name }: FileView, { stack }: FailureView): CodeFunction[] {
  const called = new Set(
    stack.filter(({ view }) => view.name !== name).flatMap((entry) => entry.function?.calls ?? []),
  );
  return code?.functions.filter((one) => one.name !== null && called.has(one.name)).slice(0, functionsMax) ?? [];
}

function featuresOf(
  spot: Spot,
  view: FileView,
  { stack, rarity }: FailureView,
  message: ReadonlySet<string>,
): Record<string, number> {
  const { line, code, frameIndex, signals } = spot;
  const entry = frameIndex === null ? -1 : stack.findIndex(({ frame }) => frame === view.frames[frameIndex]);
  const nearest = Math.max(0, ...signals.map(({ steps }) => 1 / (1 + steps)));
  return {
    placeIsFrame: Number(frameIndex !== null),
    placeFrame: frameIndex === null ? 0 : 1 / (1 + frameIndex),
    placeStack: entry < 0 ? 0 : 1 / (1 + entry),
    placeSignals: signals.length,
    placeNearest: nearest,
    placeFarthest: Math.max(0, ...signals.map(({ steps }) => steps)),
    placeEnds: Number(signals.some(({ isEnd }) => isEnd)),
    ...signalFeatures("place", signals),
    placeWords: line === null ? 0 : sharedWords(message, identifiersIn(view.source?.line(line) ?? ""), rarity),
    placeSize: Math.log1p(code ? code.end - code.start : 0),
    placeModule: Number(code === null),
    ...sliceOf(spot, view),
    ...compositionIn(view, line),
  };
}

/** Returns how much of the file's part of the slice is in a place, which is its function or its line. */
function sliceOf({ line, code }: Spot, { slice, source }: FileView): Record<string, number> {
  const isIn = ({ start }: SlicePiece): boolean =>
    code ? code.start <= start && start <= code.end : source?.lineAt(start) === line;
  const inside = slice.filter(isIn);
  const most = (pieces: readonly SlicePiece[]): number => Math.max(0, ...pieces.map(({ weight }) => weight));
  const sum = (pieces: readonly SlicePiece[]): number => pieces.reduce((total, { weight }) => total + weight, 0);
  return {
    placeSlice: most(inside),
    placeSliceOfBest: inside.length > 0 ? most(inside) / most(slice) : 0,
    placeSliceShare: inside.length > 0 ? sum(inside) / sum(slice) : 0,
    placeSliceOnLine: most(slice.filter(({ start }) => source?.lineAt(start) === line)),
  };
}

/** Returns what the function around a line is made of. */
function compositionIn({ code }: FileView, line: number | null): Record<string, number> {
  return countedConstructs("place", line === null ? undefined : code?.compositionAround([line]));
}
