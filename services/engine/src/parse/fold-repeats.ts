import type { ParsedException } from "../findings/parsed-error.ts";
import { withoutMiddle } from "./without-middle.ts";

/** Errors kept, with what belongs to them: from the beginning, where it started, and from the end, where it ended. */
const firstMax = 40;
const lastMax = 20;
/** A message is compared up to here. */
const messageUnitsMax = 200;

/** An error with its causes, as they stand in one row. */
type Group = ParsedException[];

/** What is left of the errors of a text, and how many are not. */
export interface Folded {
  readonly kept: readonly ParsedException[];
  readonly errorsLeftOut: number;
  readonly causesLeftOut: number;
}

/**
 * The same error printed again counts as a repeat of the first; of too many different ones, and of too many causes of
 * one, the middle is left out.
 */
export function foldRepeats(exceptions: readonly ParsedException[]): Folded {
  const groups = [...fold(groupsOf(exceptions)).values()];
  const isChosen = (group: Group, index: number): boolean =>
    index < firstMax || index >= groups.length - lastMax || group[0]?.fatal === true;
  const chosen = groups.filter(isChosen).slice(-(firstMax + 2 * lastMax));
  const bounded = chosen.map(withoutMiddle);
  return {
    kept: bounded.reduce<ParsedException[]>(append, []),
    errorsLeftOut: groups.length - chosen.length,
    causesLeftOut: sizeOf(chosen) - sizeOf(bounded),
  };
}

/** Each head with what follows it. Parents are counted from the head. */
function groupsOf(exceptions: readonly ParsedException[]): Group[] {
  const groups: Group[] = [];
  let base = 0;
  for (const [index, exception] of exceptions.entries()) {
    if (exception.parent === null) {
      groups.push([exception]);
      base = index;
    } else groups.at(-1)?.push({ ...exception, parent: exception.parent - base });
  }
  return groups;
}

function fold(groups: readonly Group[]): Map<string, Group> {
  const folded = new Map<string, Group>();
  for (const group of groups) {
    const key = group.map(keyOf).join("\n");
    const known = folded.get(key);
    if (!known) folded.set(key, group);
    else folded.set(key, countIn(known, group));
  }
  return folded;
}

/** What ended the process is shown where it did; what was printed as an error once isn't only a value. */
function countIn(known: Group, again: Group): Group {
  const [first] = known;
  const [repeat] = again;
  if (!first || !repeat) return known;
  const isBetter = repeat.fatal || (first.logContext.inValue && !repeat.logContext.inValue);
  const [head = first, ...rest] = isBetter ? again : known;
  const logContext = { ...head.logContext, endsText: first.logContext.endsText || repeat.logContext.endsText };
  return [{ ...head, logContext, repeats: first.repeats + 1 }, ...rest];
}

function keyOf({ type, message, frames, relation }: ParsedException): string {
  const top = frames[0];
  const said = message.slice(0, messageUnitsMax).replace(/\d+/g, "0");
  return [relation, type, said, top?.function, top?.file, top?.line, frames.length].join("\0");
}

function sizeOf(groups: readonly Group[]): number {
  return groups.reduce((sum, group) => sum + group.length, 0);
}

function append(all: ParsedException[], group: Group): ParsedException[] {
  const base = all.length;
  for (const exception of group)
    all.push({ ...exception, parent: exception.parent === null ? null : exception.parent + base });
  return all;
}
