import { applyPatch, FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "diff";

/** A block of lines that one text has instead of another's, with lines around it that both have. */
export interface Hunk {
  /** The first line in each text, from 1. */
  oldStart: number;
  newStart: number;
  oldLines: number;
  newLines: number;
  /** Each begins with " ", "-", or "+", or is a remark on a line that doesn't end. */
  lines: string[];
}

/** Lines that two texts may differ in: the time of a comparison grows with their square. */
const editLengthMax = 1_000;

/** Returns what turns one text into another, with so many lines around each change; null where too many lines differ. */
export function hunksBetween(from: string, to: string, contextLines: number): Hunk[] | null {
  const options = { context: contextLines, maxEditLength: editLengthMax };
  return structuredPatch("", "", from, to, undefined, undefined, options)?.hunks ?? null;
}

/** Returns a text with hunks applied, without fuzz; null where one doesn't apply. They mustn't overlap. */
export function withHunks(text: string, hunks: readonly Hunk[]): string | null {
  let changed: string | false = text;
  // From the last to the first, so that those before stay where they are. Lines are added before those at their place.
  const lastFirst = [...hunks].sort((one, other) => other.oldStart - one.oldStart || other.oldLines - one.oldLines);
  for (const hunk of lastFirst) {
    const patch = { oldFileName: "", newFileName: "", oldHeader: "", newHeader: "", hunks: [hunk] };
    changed = applyPatch(changed, patch, { autoConvertLineEndings: false });
    if (changed === false) return null;
  }
  return changed;
}

/** Returns hunks as the diff of a file. */
export function diffOfHunks(path: string, hunks: readonly Hunk[]): string {
  const names = { oldFileName: `a/${path}`, newFileName: `b/${path}`, oldHeader: "", newHeader: "" };
  return formatPatch({ ...names, hunks: [...hunks] }, FILE_HEADERS_ONLY);
}
