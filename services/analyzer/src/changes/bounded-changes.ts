import type { Hunk } from "@whence/engine";
import { listsDependencies, programFileKind } from "@whence/protocol";
import { changeLimits } from "./change-limits.ts";
import type { ChangedFile, ReleaseChanges } from "./release-changes.ts";

/**
 * Limits the changes to what an investigation reads, without generated code; cut changes are no longer marked as whole.
 */
export function boundedChanges(changes: ReleaseChanges): ReleaseChanges {
  const files: ChangedFile[] = [];
  let hunks = 0;
  let units = 0;
  const written = changes.files.filter((file) => !isGenerated(file));
  for (const file of byImportance(written).slice(0, changeLimits.filesMax)) {
    const kept = file.hunks.slice(0, changeLimits.hunksMax - hunks).filter((hunk) => {
      units += unitsOf(hunk);
      return units <= changeLimits.hunkUnitsMax;
    });
    hunks += kept.length;
    if (kept.length > 0) files.push({ ...file, hunks: kept });
  }
  const all = changes.files.reduce((sum, file) => sum + file.hunks.length, 0);
  return { ...changes, files, isWhole: changes.isWhole && hunks === all };
}

/** Orders changed files: code, then lists of dependencies, then data, which may change by the hundred. */
export function byImportance<File extends { readonly path: string }>(files: readonly File[]): File[] {
  return files.toSorted((left, right) => importanceOf(left.path) - importanceOf(right.path));
}

function importanceOf(path: string): number {
  if (programFileKind(path) === "code") return 0;
  return listsDependencies(path) ? 1 : 2;
}

function isGenerated({ hunks }: ChangedFile): boolean {
  const lines = hunks.flatMap(({ removed, added }) => [...removed, ...added]);
  return lines.some((line) => line.length > changeLimits.lineUnitsMax);
}

function unitsOf({ removed, added }: Hunk): number {
  return [...removed, ...added].reduce((sum, line) => sum + line.length, 0);
}
