import { programFileKind } from "@whence/protocol";
import type { ReleaseChange } from "../signals/facts/release-change.ts";
import type { GivenName } from "../trace/code/given-names.ts";
import type { ReadLines, ReadLinesApart } from "../trace/lines-apart.ts";
import { codeOf } from "./code-lines.ts";
import { keysOfData } from "./data-keys.ts";
import { schemaChanges } from "./schema-changes.ts";

/** What a hunk did to a key, function, column, or table. */
export interface ChangedName {
  readonly name: string;
  readonly change: "removed" | "renamed" | "changed";
  /** The new name; null unless it was renamed. */
  readonly renamedTo: string | null;
  /** Whether a migration did it, to a column or table. */
  readonly isOfDatabase?: boolean;
  /** In the new release. */
  readonly line: number;
}

/** What a hunk removes and adds, as its language reads it; null for lines that it can't read. */
interface ChangedHunk<Change> {
  readonly change: Change;
  readonly removed: ReadLines | null;
  readonly added: ReadLines | null;
}

interface ReadHunk<Change> extends ChangedHunk<Change> {
  readonly removed: ReadLines;
  readonly added: ReadLines;
}

/**
 * Returns what one release did to keys and functions, and to columns and tables, each with the hunk that did it. A name
 * counts as removed only if the release as a whole gives it a value, or defines it, fewer times than before, so that
 * moved code isn't counted. Nothing is said of a name in lines that can't be read.
 */
export function changedNames<Change extends Pick<ReleaseChange, "hunk" | "path">>(
  changes: readonly Change[],
  names: ReadonlySet<string>,
  readLines: ReadLinesApart,
): (ChangedName & { readonly in: Change })[] {
  const missed = new Set([...names].map((name) => name.toLowerCase()));
  const migrated = schemaChanges(changes).flatMap(({ name, table: _, ...args }) =>
    missed.has(name.toLowerCase()) ? [{ name, isOfDatabase: true, ...args }] : [],
  );
  const hunks = changes.filter(({ hunk }) => isNamedIn(hunk, names)).map((change) => readHunk(change, readLines));
  const ofCode = [...names].flatMap((name) => {
    const own = hunks.filter(({ change: { hunk } }) => isNamedIn(hunk, new Set([name])));
    return own.every(isRead) ? changesOf(name, own) : [];
  });
  return [...migrated, ...ofCode];
}

function isRead<Change>(hunk: ChangedHunk<Change>): hunk is ReadHunk<Change> {
  return hunk.removed !== null && hunk.added !== null;
}

function isNamedIn({ removed, added }: ReleaseChange["hunk"], names: ReadonlySet<string>): boolean {
  return [...removed, ...added].some((line) => [...names].some((name) => line.includes(name)));
}

function readHunk<Change extends Pick<ReleaseChange, "hunk" | "path">>(
  change: Change,
  readLines: ReadLinesApart,
): ChangedHunk<Change> {
  const isData = programFileKind(change.path) === "data";
  const read = (lines: readonly string[]): ReadLines | null => {
    const code = lines.map((line) => (codeOf(line) === "" ? "" : line));
    return isData ? { names: keysOfData(code), variables: new Map() } : readLines(change.path, code);
  };
  return { change, removed: read(change.hunk.removed), added: read(change.hunk.added) };
}

function changesOf<Change extends Pick<ReleaseChange, "hunk">>(
  name: string,
  hunks: readonly ReadHunk<Change>[],
): (ChangedName & { readonly in: Change })[] {
  const of = ({ names }: ReadLines): GivenName[] => names.filter((one) => one.name === name);
  const before = hunks.reduce((sum, { removed }) => sum + of(removed).length, 0);
  const after = hunks.reduce((sum, { added }) => sum + of(added).length, 0);
  return hunks.flatMap((hunk) => {
    const { change } = hunk;
    const [old, own] = [of(hunk.removed), of(hunk.added)];
    if (old.length === 0) return [];
    const [first] = own;
    if (!first) return before > after ? [{ ...goneFrom(hunk, name, old), in: change }] : [];
    const isSame = ({ value }: GivenName): boolean =>
      old.some((one) => one.value === value || isSameVariable(one.value, value, hunks));
    if (own.every(isSame)) return [];
    return [{ name, change: "changed" as const, renamedTo: null, line: lineOf(change, first), in: change }];
  });
}

/** A key is renamed if a new key has its value now. */
function goneFrom(
  { change, removed, added }: ReadHunk<Pick<ReleaseChange, "hunk">>,
  name: string,
  old: readonly GivenName[],
): ChangedName {
  const isNew = ({ name: one }: GivenName): boolean => !removed.names.some((before) => before.name === one);
  const heir = added.names.find(
    (one) => isNew(one) && one.value !== "" && old.some(({ value }) => value === one.value),
  );
  return heir
    ? { name, change: "renamed", renamedTo: heir.name, line: lineOf(change, heir) }
    : { name, change: "removed", renamedTo: null, line: Math.max(1, change.hunk.to) };
}

/** Returns whether a variable was only renamed: the new one is set to what the old one was. */
function isSameVariable(
  old: string,
  now: string,
  hunks: readonly Pick<ReadHunk<unknown>, "removed" | "added">[],
): boolean {
  const given = hunks.flatMap(({ removed }) => removed.variables.get(old) ?? [])[0];
  return given !== undefined && given === hunks.flatMap(({ added }) => added.variables.get(now) ?? [])[0];
}

function lineOf({ hunk: { to } }: Pick<ReleaseChange, "hunk">, { line }: GivenName): number {
  return to + line - 1;
}
