import type { EventFacts } from "../findings/event-facts.ts";
import type { CodePlace, LocatedException } from "../findings/located-frame.ts";
import type { ParsedError, ParsedFrame } from "../findings/parsed-error.ts";
import { uncoded } from "../findings/uncoded.ts";
import { lastName } from "../source/anchor.ts";
import { contradictionAt } from "../source/other-version.ts";
import type { SourceText } from "../source/source-text.ts";
import { codeFiles } from "./code/code-files.ts";
import { Codebase } from "./code/codebase.ts";
import { nameAround, ownName } from "./code/functions.ts";
import { GivenFiles, windowsOf } from "./code/given-files.ts";
import { nodeAt } from "./code/ir.ts";
import type { Program } from "./code/program.ts";
import { failureOf } from "./failure.ts";
import { findBlocking } from "./faults/blocking.ts";
import { findBrokenFiles } from "./faults/broken-files.ts";
import { findLiteralsInMessage } from "./faults/literals-in-message.ts";
import { findMissingModules } from "./faults/missing-modules.ts";
import { fieldWriters } from "./field-writers.ts";
import { Trail } from "./follow/trail.ts";
import { withoutChanged } from "./frames/changed-variables.ts";
import { positionsOn, type Spot, type SpottedFrame, spotFrames } from "./frames/frames.ts";
import { SourceMaps } from "./frames/source-maps.ts";
import { loweringsFor, parses } from "./languages.ts";
import { noteNotGiven } from "./not-given.ts";
import { repairsOf } from "./repair/repairs.ts";
import { seekOrigins } from "./seek-origins.ts";
import { backwardSlice } from "./slice/backward-slice.ts";
import type { Traced } from "./traced.ts";

/**
 * Maps frames to the given code, and follows what the error depends on backwards through it. `printed` has lines that
 * the stack prints, of files that weren't given.
 */
export async function traceError(
  error: ParsedError,
  event: EventFacts | null,
  files: readonly SourceText[],
  printed: readonly SourceText[] = [],
): Promise<Traced> {
  const { codebase, located } = await locate(error, event, files, printed);
  const trail = new Trail(located.map(({ exception }) => exception.message));
  // What a compiler refuses never ran, so no value led to it.
  const hasRun = located.every(({ exception }) => exception.type !== uncoded);
  const wraps = hasRun ? seekOrigins(failureOf(codebase, error, event, located), trail) : [];
  // An event brings only some lines of its files.
  if (hasRun && event === null) noteNotGiven(codebase, trail);
  findLiteralsInMessage(error, files, trail);
  findMissingModules(error, files, trail);
  findBrokenFiles(error, files, trail);
  return { ...tracedOf(codebase, located, trail), wraps };
}

/** Maps the stack of a blocked thread to the given code, and finds what keeps the thread busy. */
export async function traceBlocked(stack: ParsedError, files: readonly SourceText[]): Promise<Traced> {
  const { codebase, located } = await locate(stack, null, files, []);
  const trail = new Trail([]);
  for (const { frames } of located) findBlocking(codebase, frames, trail);
  return { ...tracedOf(codebase, located, trail), wraps: [] };
}

interface Located {
  readonly codebase: Codebase;
  readonly located: readonly LocatedException[];
}

async function locate(
  error: ParsedError,
  event: EventFacts | null,
  files: readonly SourceText[],
  printed: readonly SourceText[],
): Promise<Located> {
  const chain = error.chain.flatMap((index) => {
    const exception = error.exceptions[index];
    return exception ? [{ index, exception }] : [];
  });
  const windows = windowsOf(chain.flatMap(({ exception }) => exception.frames));
  const sources = new GivenFiles(files, [...windows, ...printed]);
  const maps = new SourceMaps(sources);
  const spotted = chain.map(({ index, exception }) => ({
    exception,
    spots: spotFrames(index, exception, sources, maps),
  }));
  const lowerings = await loweringsFor(sources);
  const onStack = positionsOn(spotted.flatMap(({ spots }) => spots));
  const codebase = new Codebase(sources, lowerings, onStack, event?.variables ?? null);
  const others = otherVersions(
    spotted.flatMap(({ spots }) => spots),
    codebase,
  );
  const located = spotted.map(({ exception, spots }) => ({
    exception,
    frames: spots.map(({ spot, ...one }) => {
      const isOther = spot !== null && one.frame.code === undefined && others.has(spot.source);
      const place = spot && !isOther ? codePlaceOf(spot, one.frame, codebase) : null;
      const program = place && codebase.of(place.source);
      return { ...one, frame: withoutChanged(one.frame, program, place), place };
    }),
  }));
  return { codebase, located };
}

function tracedOf(codebase: Codebase, located: readonly LocatedException[], trail: Trail): Omit<Traced, "wraps"> {
  const frames = located.flatMap((one) => one.frames);
  const signals = trail.signals();
  return {
    frames,
    signals,
    writers: fieldWriters(codebase, signals),
    files: codeFiles(codebase),
    leftOut: codebase.leftOut,
    outOfSight: trail.outOfSight,
    slice: backwardSlice(codebase, located),
    repairs: { of: (signal) => repairsOf(codebase, frames, signal), parses },
  };
}

/**
 * Returns the files that ran in another version than the given one: a frame is at a line without code, or in a function
 * that is elsewhere. Where the stack prints the code of its lines, each is found on its own.
 */
function otherVersions(spots: readonly SpottedFrame[], codebase: Codebase): ReadonlySet<SourceText> {
  const { files } = codebase;
  const others = spots.flatMap(({ spot, file, frame }) => {
    const source = spot?.source ?? files.all.find(({ name }) => name === file);
    if (!source || frame.line === null || frame.code !== undefined || files.isWindow(source)) return [];
    const isOther = contradictionAt(source, spot?.line ?? frame.line) !== null;
    return isOther || (spot && codePlaceOf(spot, frame, codebase) === null) ? [source] : [];
  });
  return new Set(others);
}

/** Returns null if the printed function is elsewhere in the file: then another version ran, and another line. */
function codePlaceOf(
  { source, line, position }: Spot,
  { function: printed }: ParsedFrame,
  codebase: Codebase,
): CodePlace | null {
  const program = codebase.of(source);
  const name = program && nameAround(nodeAt(program.tree, position));
  if (program && isElsewhere(program, printed, name)) return null;
  return { file: source.name, line, function: name ?? lastName(printed), source };
}

function isElsewhere({ functions }: Program, printed: string | null, around: string | null): boolean {
  const wanted = lastName(printed);
  if (wanted === null || printed?.startsWith("new ") || wanted === lastName(around)) return false;
  return functions.some((node) => ownName(node) === wanted);
}
