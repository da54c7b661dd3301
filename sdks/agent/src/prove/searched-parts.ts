import type { ChangePart } from "./changed-file.ts";

/** A place in a file, named from the folder in which the command runs. */
export interface SuspectPlace {
  readonly file: string;
  readonly line: number;
}

/** Changes so many lines from a suspect are undone with those at it; and how many suspects are. */
const nearLines = 10;
const suspectsMax = 3;

/** Returns the parts near each suspect, where there are others. */
export function partsNear(
  suspects: readonly SuspectPlace[],
  parts: readonly ChangePart[],
  nameOf: (path: string) => string,
): (readonly ChangePart[])[] {
  const near = suspects.map(({ file, line }) =>
    parts.filter(
      (part) => part.hunk && nameOf(part.file.path) === file && Math.abs(part.hunk.oldStart - line) <= nearLines,
    ),
  );
  return near.filter(({ length }) => length > 0 && length < parts.length).slice(0, suspectsMax);
}

/** Cuts parts in two: those of files that the change added, which the command may need, then files, then lines. */
export function cut(parts: readonly ChangePart[]): (readonly ChangePart[])[] {
  const kept = parts.filter(({ file }) => file.before !== null);
  const added = parts.filter(({ file }) => file.before === null);
  if (kept.length > 0 && added.length > 0) return [kept, added];
  const middle = parts.length / 2;
  const begins = parts.flatMap(({ file }, index) => (index > 0 && file !== parts[index - 1]?.file ? [index] : []));
  const [nearest = Math.floor(middle)] = begins.sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle));
  return [parts.slice(0, nearest), parts.slice(nearest)];
}
