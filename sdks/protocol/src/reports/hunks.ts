import { applyPatch, FILE_HEADERS_ONLY, formatPatch, type StructuredPatchHunk, structuredPatch } from "diff";

/** A block of lines that one text has instead of another's, with lines around it that both have. */
export type Hunk = StructuredPatchHunk;

/** Returns what turns one text into another, with so many lines around each change. */
export function hunksBetween(from: string, to: string, contextLines: number): Hunk[] {
  return structuredPatch("", "", from, to, undefined, undefined, { context: contextLines }).hunks;
}

/** Returns a text with hunks applied, without fuzz; null where one doesn't apply. They mustn't overlap. */
export function withHunks(text: string, hunks: readonly Hunk[]): string | null {
  let changed: string | false = text;
  // From the last to the first, so that those before stay where they are.
  for (const hunk of [...hunks].sort((one, other) => other.oldStart - one.oldStart)) {
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
