import type { ReleaseChange } from "../signals/facts/release-change.ts";
import { codeOf } from "./code-lines.ts";
import { definitionsIn, keysIn, type NamedKey } from "./named-keys.ts";
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

/**
 * Returns what one release did to keys and functions, and to columns and tables, each with the hunk that did it. A name counts as removed only if
 * the release as a whole gives it a value, or defines it, fewer times than before, so that moved code isn't counted.
 */
export function changedNames<Change extends Pick<ReleaseChange, "hunk" | "path">>(
  changes: readonly Change[],
  names: ReadonlySet<string>,
): (ChangedName & { readonly in: Change })[] {
  const read = changes.map((change) => ({
    change,
    removed: keysIn(change.hunk.removed),
    added: keysIn(change.hunk.added),
    undefined: definitionsIn(change.hunk.removed),
    defined: definitionsIn(change.hunk.added),
  }));
  const missed = new Set([...names].map((name) => name.toLowerCase()));
  const migrated = schemaChanges(changes).flatMap(({ name, table: _, ...args }) =>
    missed.has(name.toLowerCase()) ? [{ name, isOfDatabase: true, ...args }] : [],
  );
  const ofCode = [...names].flatMap((name) => {
    const ofName = ({ name: one }: NamedKey): boolean => one === name;
    const before = read.reduce(
      (sum, { removed, undefined: gone }) => sum + removed.filter(ofName).length + times(gone, name),
      0,
    );
    const after = read.reduce((sum, { added, defined }) => sum + added.filter(ofName).length + times(defined, name), 0);
    return read.flatMap(({ change, removed, added, undefined: gone }) => {
      const old = removed.filter(ofName);
      const own = added.filter(ofName);
      if (old.length === 0 && times(gone, name) === 0) return [];
      if (before > after && own.length === 0) return [{ ...goneFrom(change, name, old, removed, added), in: change }];
      const isOther =
        own.length > 0 &&
        old.length > 0 &&
        !own.every(({ value }) => old.some((one) => one.value === value || isSameVariable(one.value, value, changes)));
      return isOther
        ? [{ name, change: "changed" as const, renamedTo: null, line: lineOf(change, name), in: change }]
        : [];
    });
  });
  return [...migrated, ...ofCode];
}

/** A key is renamed if a new key has its value now. */
function goneFrom(
  change: Pick<ReleaseChange, "hunk">,
  name: string,
  old: readonly NamedKey[],
  removed: readonly NamedKey[],
  added: readonly NamedKey[],
): ChangedName {
  const isNew = ({ name: one }: NamedKey): boolean => !removed.some((before) => before.name === one);
  const heir = added.find(
    (one) => isNew(one) && one.value !== "" && old.some(({ value }) => value !== "" && value === one.value),
  );
  return heir
    ? { name, change: "renamed", renamedTo: heir.name, line: lineOf(change, heir.name) }
    : { name, change: "removed", renamedTo: null, line: Math.max(1, change.hunk.to) };
}

/** Returns whether a variable was only renamed: the new one is assigned what the old one was. */
function isSameVariable(old: string, now: string, changes: readonly Pick<ReleaseChange, "hunk">[]): boolean {
  const given = assignedTo(
    old,
    changes.flatMap(({ hunk }) => hunk.removed),
  );
  return (
    given !== null &&
    given ===
      assignedTo(
        now,
        changes.flatMap(({ hunk }) => hunk.added),
      )
  );
}

function assignedTo(name: string, lines: readonly string[]): string | null {
  if (!/^[\w$]+$/.test(name)) return null;
  const assignment = new RegExp(`(?<![\\w$.])${name.replaceAll("$", "\\$")}\\s*:?=(?![=>])\\s*(.+)$`);
  return lines.flatMap((line) => assignment.exec(codeOf(line))?.[1] ?? [])[0] ?? null;
}

function lineOf({ hunk: { to, added } }: Pick<ReleaseChange, "hunk">, name: string): number {
  const index = added.findIndex((line) => keysIn([line]).some((key) => key.name === name));
  return to + Math.max(0, index);
}

function times(names: readonly string[], name: string): number {
  return names.filter((one) => one === name).length;
}
