import type { Hunk } from "@whence/engine";
import { parsePatch, type StructuredPatchHunk, structuredPatch } from "diff";
import { changeLimits } from "./change-limits.ts";
import { isCompared } from "./compared-path.ts";
import type { ChangedFile } from "./release-changes.ts";

/** Lock files and manifests that write a package's version below its name. */
const namesAbove = /(?:^|\/)(?:(?:Cargo|composer)\.lock|Pipfile\.lock|pom\.xml)$/;
const linesAboveVersion = 3;

/**
 * Returns the hunks between two texts of the file with a path; null when they can't be computed in time, or are
 * generated code. Where a package's version stands below its name, its hunk includes the name.
 */
export function hunksBetween(path: string, before: string, after: string): readonly Hunk[] | null {
  if (isGenerated(before) || isGenerated(after)) return null;
  const needsNames = namesAbove.test(path);
  const patch = structuredPatch("", "", before, after, undefined, undefined, {
    context: needsNames ? linesAboveVersion : 0,
    stripTrailingCr: true,
    timeout: changeLimits.compareTimeoutMs,
    maxEditLength: changeLimits.editLinesMax,
  });
  if (patch === undefined) return null;
  return patch.hunks.flatMap(needsNames ? withContext : toHunks);
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

/** Returns each run of removed and added lines, without the lines around them. */
function toHunks({ oldStart, newStart, lines }: StructuredPatchHunk): Hunk[] {
  const runs: Hunk[] = [];
  let [from, to] = [oldStart, newStart];
  let [removed, added]: [string[], string[]] = [[], []];
  for (const line of [...lines, " "]) {
    const text = line.slice(1).replace(/\r$/, "");
    if (line.startsWith("-")) removed.push(text);
    else if (line.startsWith("+")) added.push(text);
    else if (line.startsWith(" ") || line === "") {
      runs.push(...pieces({ from, removed, to, added }));
      [from, to] = [from + removed.length + 1, to + added.length + 1];
      [removed, added] = [[], []];
    }
  }
  return runs;
}

function withContext({ oldStart, newStart, lines }: StructuredPatchHunk): Hunk[] {
  const without = (mark: string): string[] =>
    lines.filter((line) => !line.startsWith(mark) && !line.startsWith("\\")).map((line) => line.slice(1));
  return pieces({ from: oldStart, removed: without("+"), to: newStart, added: without("-") });
}

/** Splits a long hunk. */
function pieces({ from, removed, to, added }: Hunk): Hunk[] {
  const { hunkLinesMax: size } = changeLimits;
  const hunks: Hunk[] = [];
  for (let at = 0; at < Math.max(removed.length, added.length); at += size) {
    hunks.push({
      from: from + Math.min(at, removed.length),
      removed: removed.slice(at, at + size),
      to: to + Math.min(at, added.length),
      added: added.slice(at, at + size),
    });
  }
  return hunks;
}
