import type { ParsedException } from "../findings/parsed-error.ts";
import { withoutMiddle } from "./without-middle.ts";

/**
 * How many errors are kept, each with its chain: from the start, where the failure began, and from the end, where it
 * ended.
 */
const firstMax = 40;
const lastMax = 20;
/** How much of a message is compared, in UTF-16 units. */
const messageUnitsMax = 200;

/** An error and its chain, in one run of the list. */
type Group = ParsedException[];

/** The errors kept from a text, and how many were left out. */
export interface Folded {
  readonly kept: readonly ParsedException[];
  readonly errorsLeftOut: number;
  readonly causesLeftOut: number;
}

/**
 * Counts an error that is printed again as a repeat of the first, and leaves out the middle of too many errors or
 * causes.
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

/** Groups each head with its chain. Parent indexes are relative to the head. */
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

/**
 * Counts a repeat, and keeps the one that ended the process, or that was printed as an error rather than in a value.
 */
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
