import { join } from "node:path";
import {
  diffOfHunks,
  type Hunk,
  hunksBetween,
  isOtherFolder,
  linesChangedBy,
  listsDependencies,
  programFileKind,
  withHunks,
  withoutCredentials,
} from "@whence/protocol";
import { readSourceFile } from "../sources/read-source-file.ts";
import type { ChangedFile, ChangePart, TestLine } from "./changed-file.ts";
import { type FileChanges, Undecided } from "./copied-runs.ts";
import type { Git } from "./git.ts";
import { withMoves } from "./moved-files.ts";
import { partsOfHunk } from "./parts-of-hunk.ts";
import { isOfTests } from "./test-files.ts";

/** Lines around a change in a diff. */
const contextLines = 3;
/** Files that a change may have touched. */
const filesMax = 200;
const untracked = ["--others", "--exclude-standard", "-z", "--full-name", ":/"] as const;
const listed = ["--name-only", "-z", "--no-renames", "--no-relative"] as const;

/**
 * Returns the files of the program that differ from the checked-out commit, new ones included. Rejects with
 * {@link Undecided} when there are too many.
 */
export async function uncommittedFiles(git: Git, root: string): Promise<ChangedFile[]> {
  const [changed, added] = await Promise.all([
    pathsOf(git("diff", ...listed, "--no-ext-diff", "HEAD")),
    pathsOf(git("ls-files", ...untracked)),
  ]);
  const files: ChangedFile[] = [];
  const isNew = new Set(added);
  for (const path of few([...changed, ...added])) {
    const before = isNew.has(path) ? null : await git.textAt("HEAD", path);
    const now = await textIn(root, path);
    if (now === undefined || before === now) continue;
    const hunks = now === null || before === null ? null : hunksBetween(now, before, 0);
    files.push({ path, now, before, hunks: hunks ?? [] });
  }
  return withMoves(files);
}

/**
 * Returns the files of the program that a commit changed, where it can still be undone in the tree. Rejects with
 * {@link Undecided} when there are too many.
 */
export async function committedFiles(git: Git, root: string, commit: string): Promise<ChangedFile[]> {
  const files: ChangedFile[] = [];
  for (const path of few(await pathsOf(git("diff", ...listed, `${commit}^`, commit)))) {
    const [before, after] = [await git.textAt(`${commit}^`, path), await git.textAt(commit, path)];
    const now = await textIn(root, path);
    if (now === undefined) continue;
    if (now !== null && before !== null && after !== null) {
      const hunks = hunksFor(now, after, before);
      if (hunks.length > 0) files.push({ path, now, before, hunks });
    } else if (now === after && now !== before) files.push({ path, now, before, hunks: [] });
  }
  return withMoves(files);
}

/** Returns the lines of tests that changed, or are new, since before a commit, or, for null, since the checked-out one. */
export async function changedTestLines(git: Git, root: string, commit: string | null): Promise<TestLine[]> {
  const base = commit === null ? "HEAD" : `${commit}^`;
  const lists = [git("diff", ...listed, "--no-ext-diff", base), git("ls-files", ...untracked)];
  const paths = (await Promise.all(lists)).flatMap((printed) => printed.split("\0").filter(isOfTests));
  const found: TestLine[] = [];
  for (const path of few(paths)) {
    const now = (await textIn(root, path)) ?? "";
    const hunks = hunksBetween(now, (await git.textAt(base, path)) ?? "", 0);
    for (const { oldStart, oldLines } of hunks ?? [{ oldStart: 1, oldLines: now.split("\n").length }])
      for (let line = oldStart; line < oldStart + oldLines; line++) found.push({ path, line });
  }
  return found;
}

/** Returns what can be undone alone, in the order of the files. */
export function partsOf(files: readonly ChangedFile[]): ChangePart[] {
  return files.flatMap((file): readonly ChangePart[] => {
    const hunks = file.hunks.flatMap(partsOfHunk);
    const isWhole = hunks.length === 0 || file.from !== undefined;
    return (isWhole ? [null, ...hunks] : hunks).map((hunk) => ({ file, hunk }));
  });
}

/** Returns the files of the tree without some parts of a change; null where they can't be undone together. */
export function without(parts: readonly ChangePart[]): FileChanges | null {
  const changes = new Map<string, string | null>();
  for (const file of filesOf(parts)) {
    const text = undone(file, parts);
    if (text === undefined) return null;
    const isMovedBack = file.from !== undefined && parts.some((part) => part.file === file && !part.hunk);
    changes.set(file.path, isMovedBack ? null : text);
    if (isMovedBack) changes.set(file.from, text);
  }
  return changes;
}

/** What undoes parts of a change in one file. */
export interface UndoneFile {
  readonly file: string;
  /** The first line of each, in the text of the tree. */
  readonly lines: readonly number[];
  /** Without credentials; null where too many lines differ, or none, as in a file that is moved back. */
  readonly diff: string | null;
}

/** Returns what undoes parts of a change by file, in which a file has the name that it is given. */
export function undoneFiles(parts: readonly ChangePart[], nameOf: (path: string) => string): UndoneFile[] {
  return filesOf(parts).map((changed) => {
    const file = nameOf(changed.path);
    const hunks = hunksBetween(changed.now ?? "", undone(changed, parts) ?? "", contextLines);
    // Too many lines, or none in a file that was moved.
    if (hunks === null || hunks.length === 0) return { file, lines: [1], diff: null };
    const diff = diffOfHunks(file, hunks);
    const lines = linesChangedBy(diff).map((line) => Math.max(1, line));
    return { file, lines, diff: withoutCredentials(diff, changed.path) };
  });
}

/** Returns the files of some parts of a change. */
export function filesOf(parts: readonly ChangePart[]): ChangedFile[] {
  return [...new Set(parts.map(({ file }) => file))];
}

/** Returns the text of a file without those of the parts that are its own; undefined where they can't be undone together. */
function undone(file: ChangedFile, parts: readonly ChangePart[]): string | null | undefined {
  const { now, before } = file;
  const hunks = parts.flatMap((part) => (part.file === file && part.hunk ? [part.hunk] : []));
  if (hunks.length === 0) return file.from === undefined ? before : now;
  return withHunks(now ?? "", hunks) ?? undefined;
}

/** Returns what undoes a change in a text that changed since, as far as its lines are still there. */
function hunksFor(now: string, after: string, before: string): Hunk[] {
  const since = hunksBetween(after, now, 0);
  if (since === null) return [];
  const placeOf = (line: number): number | null => {
    const earlier = since.filter(({ oldStart }) => oldStart <= line);
    if (earlier.some(({ oldStart, oldLines }) => line < oldStart + oldLines)) return null;
    return earlier.reduce((place, { oldLines, newLines }) => place + newLines - oldLines, line);
  };
  return (hunksBetween(after, before, 0) ?? []).flatMap(partsOfHunk).flatMap((hunk) => {
    const { oldStart, oldLines } = hunk;
    const own = Array.from({ length: oldLines }, (_, index) => placeOf(oldStart + index));
    const above = oldStart === 1 ? 0 : placeOf(oldStart - 1);
    // Lines that the change removed were between two, and one of the two must still be there.
    const [first = above === null ? placeOf(oldStart) : above + 1] = own;
    if (first === null || own.some((place, index) => place !== first + index)) return [];
    return [{ ...hunk, oldStart: first }];
  });
}

function few(paths: readonly string[]): readonly string[] {
  if (paths.length > filesMax) throw new Undecided(`more than ${filesMax} files were changed`);
  return paths;
}

/** Leaves out what no report should send, packages, their lists, and tests, which say what is right. */
async function pathsOf(printed: Promise<string>): Promise<string[]> {
  return (await printed).split("\0").filter((path) => {
    const folders = path.split("/").slice(0, -1);
    return (
      programFileKind(path) !== null && !isOfTests(path) && !listsDependencies(path) && !folders.some(isOtherFolder)
    );
  });
}

/** Returns the text of a file; null where there is none, undefined where it can't be read as text. */
async function textIn(root: string, path: string): Promise<string | null | undefined> {
  const file = await readSourceFile(join(root, path));
  if (file.outcome === "read") return file.text;
  return file.outcome === "missing" ? null : undefined;
}
