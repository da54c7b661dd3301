import { attach, type Draft } from "../draft.ts";
import { indentOf } from "../indent.ts";

import type { Stretch } from "../stretch.ts";

/** Strips a line of the tree that an exception group draws before it: `  | `, `  + `, `  +-+---- 1 ----`. */
export function withoutTree(text: string): { depth: number; rest: string } {
  if (!isTree(text)) return { depth: 0, rest: text };
  const indent = indentOf(text);
  const rest = text.slice(indent + 1);
  return { depth: indent, rest: rest.startsWith(" ") ? rest.slice(1) : rest };
}

/** Returns whether a line belongs to the tree of an exception group. */
export function isTree(text: string): boolean {
  return /^ {2,80}[|+](?: |$)/.test(text);
}

/** Returns whether a line is the title of a group that isn't a member of another one, although a tree is drawn before it. */
export function isOutermostGroup(text: string): boolean {
  return text.startsWith("  + Exception Group Traceback");
}

/** Python's divider in the tree of a group, or the title that rich gives a member. */
function isDivider(text: string): boolean {
  return isMemberTitle(text) || /^ {2,80}\+(?:-\+)?-{4,}(?: (?:\d{1,4}|\.\.\.) -{4,})?$/.test(text);
}

/** Returns whether a line is the title that rich gives the panel of a member of an exception group. */
export function isMemberTitle(text: string): boolean {
  return /^Sub-exception #\d{1,9}$/.test(text);
}

/** Returns whether a line is the first line of a member of an exception group. */
export function isBelowDivider(stretch: Stretch, index: number): boolean {
  return isDivider(stretch.text(index - 1));
}

const linkOfCause = "The above exception was the direct cause of the following exception:";
const linkOfContext = "During handling of the above exception, another exception occurred:";

/** Returns whether a line says how the error below follows from the one above. */
export function isLink(text: string): boolean {
  return text === linkOfCause || text === linkOfContext;
}

/** A traceback that was read. */
export interface Traceback {
  readonly draft: Draft;
  /** The depth in a group: in characters of Python's tree; 0 outside one. */
  readonly depth: number;
  /** The line below it. */
  readonly next: number;
}

/** Reads the tracebacks of a stretch, with what reads the one that begins at a line, and joins those that belong together. */
export function readTracebacks(stretch: Stretch, readAt: (index: number) => Traceback | null): Draft[] {
  const drafts: Draft[] = [];
  const chain = new PythonChain();
  for (let index = 0; index < stretch.length; ) {
    const found = readAt(index);
    if (!found) {
      chain.pass(stretch.text(index));
      index++;
      continue;
    }
    drafts.push(found.draft);
    chain.add(found.draft, found.depth);
    stretch.take(index, found.next - 1);
    index = found.next;
  }
  return drafts;
}

/**
 * Joins tracebacks that are printed one after the other: the earlier error is printed first, and is the cause of the
 * later one.
 */
export class PythonChain {
  #link: "cause" | "context" | null = null;
  /** The latest error at each depth. */
  readonly #latest = new Map<number, Draft>();

  pass(text: string): void {
    const { rest } = withoutTree(text);
    if (rest === linkOfCause) this.#link = "cause";
    else if (rest === linkOfContext) this.#link = "context";
    else if (rest !== "" && !isDivider(text)) this.#forget();
  }

  add(draft: Draft, depth: number): void {
    const before = this.#latest.get(depth);
    if (this.#link && before) this.#replace(before, draft, this.#link);
    else this.#join(draft, depth);
    this.#latest.set(depth, draft);
    this.#link = null;
  }

  #replace(before: Draft, draft: Draft, relation: "cause" | "context"): void {
    if (before.parent && before.relation) attach(draft, before.parent, before.relation);
    attach(before, draft, relation);
  }

  /** Adds a member to the group above. */
  #join(draft: Draft, depth: number): void {
    const group = [...this.#latest].filter(([other]) => other < depth).sort(([left], [right]) => right - left)[0];
    if (depth > 0 && group) attach(draft, group[1], "aggregated");
    for (const other of this.#latest.keys()) if (other > depth) this.#latest.delete(other);
  }

  #forget(): void {
    this.#link = null;
    this.#latest.clear();
  }
}
