import type { Hunk } from "@whence/engine";
import { parsePatch, type StructuredPatchHunk, structuredPatch } from "diff";
import { changeLimits } from "./change-limits.ts";
import { isCompared } from "./compared-path.ts";
import type { ChangedFile } from "./release-changes.ts";

/** Returns the hunks between two texts of one file; null when they can't be computed in time, or are generated code. */
export function hunksBetween(before: string, after: string): readonly Hunk[] | null {
  if (isGenerated(before) || isGenerated(after)) return null;
  const patch = structuredPatch("", "", before, after, undefined, undefined, {
    context: 0,
    stripTrailingCr: true,
    timeout: changeLimits.compareTimeoutMs,
    maxEditLength: changeLimits.editLinesMax,
  });
  return patch === undefined ? null : patch.hunks.flatMap(toHunks);
}

/** Returns the comparable files of a unified diff, as git and code hosts print it; null when it can't be parsed. */
export function filesOfPatch(patch: string): readonly ChangedFile[] | null {
  try {
    return parsePatch(patch).flatMap(({ oldFileName, newFileName, hunks }) => {
      const path = pathOf(newFileName) ?? pathOf(oldFileName);
      return path === null || !isCompared(path) ? [] : [{ path, hunks: hunks.flatMap(toHunks) }];
    });
  } catch {
    // The parser throws on a truncated patch.
    return null;
  }
}

/** Removes git's prefix; null for a file that doesn't exist. */
function pathOf(name: string | undefined): string | null {
  return name === undefined || name === "/dev/null" ? null : name.replace(/^[ab]\//, "");
}

function isGenerated(text: string): boolean {
  return text.includes("\0") || text.split("\n").some((line) => line.length > changeLimits.lineUnitsMax);
}

function toHunks({ oldStart, newStart, lines }: StructuredPatchHunk): Hunk[] {
  const taken = (mark: string): string[] =>
    lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(1).replace(/\r$/, ""));
  const [removed, added] = [taken("-"), taken("+")];
  const { hunkLinesMax: size } = changeLimits;
  const hunks: Hunk[] = [];
  for (let at = 0; at < Math.max(removed.length, added.length); at += size) {
    const [old, now] = [removed.slice(at, at + size), added.slice(at, at + size)];
    const [from, to] = [oldStart + Math.min(at, removed.length), newStart + Math.min(at, added.length)];
    hunks.push({ from, removed: old, to, added: now });
  }
  return hunks;
}
