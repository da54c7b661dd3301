import type { LocatedFrame } from "../../findings/located-frame.ts";
import type { ParsedException, ParsedFrame } from "../../findings/parsed-error.ts";
import { isAnchored } from "../../source/anchor.ts";
import { isInstalledName } from "../../source/installed-package.ts";
import type { SourceText } from "../../source/source-text.ts";
import { noFile } from "../../words/prose.ts";
import type { GivenFiles } from "../code/given-files.ts";
import { lineOfFrame } from "./line-of-frame.ts";
import type { SourceMaps } from "./source-maps.ts";

/** A frame, with its position if its text was found. */
export type SpottedFrame = Omit<LocatedFrame, "place"> & { readonly spot: Spot | null };

/** The position of a frame in a text. */
export interface Spot {
  readonly source: SourceText;
  readonly line: number;
  readonly position: number;
}

export function spotFrames(
  index: number,
  exception: ParsedException,
  sources: GivenFiles,
  maps: SourceMaps,
): SpottedFrame[] {
  const { throwSite, frames } = exception;
  const first = frames[0];
  const isPrinted = !throwSite || frames.some(({ file, line }) => file === throwSite.file && line === throwSite.line);
  const site = isPrinted || !throwSite || sources.find(throwSite.file, throwSite.line) === null ? [] : [throwSite];
  // A syntax error is in a file that isn't on the stack yet.
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
    const source = file !== null && line !== null ? sourceOf(frame, sources) : null;
    // Where a file of the runtime was given, it is a package whose users report traces.
    const isGiven = source !== null && !sources.isWindow(source);
    const origin = isGiven && frame.origin === "runtime" ? "dependency" : frame.origin;
    const shownLine = source && lineOfFrame(source, frame);
    const spot = source && shownLine ? spotAt(source, shownLine, column) : null;
    const located = { ...frame, origin };
    return { exception: index, index: position, frame: located, file: source?.name ?? file ?? noFile, spot };
  });
}

/** Returns the file of a frame. One outside the application has a project's file only if that contains the function. */
function sourceOf(frame: ParsedFrame, sources: GivenFiles): SourceText | null {
  const source = frame.file === null ? null : (sources.find(frame.file, frame.line) ?? sources.find(frame.file, null));
  const isElsewhere = frame.origin !== "app" && source !== null && !isInstalledName(source.name);
  return isElsewhere && !isAnchored(source, frame) ? null : source;
}

function spotAt(source: SourceText, line: number, column: number | null): Spot {
  const { start, end } = source.lines(line, line);
  const indent = /^\s*/.exec(source.text.slice(start, end))?.[0].length ?? 0;
  return { source, line, position: column === null ? start + indent : Math.min(start + column - 1, end) };
}

/** Returns the positions in each text that the stack names, innermost first. */
export function positionsOn(spots: readonly SpottedFrame[]): ReadonlyMap<SourceText, readonly number[]> {
  const found = spots.flatMap(({ spot }) => (spot ? [spot] : []));
  const groups = Map.groupBy(found, ({ source }) => source);
  return new Map([...groups].map(([source, group]) => [source, group.map(({ position }) => position)]));
}
