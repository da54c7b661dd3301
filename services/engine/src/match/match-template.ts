import type { Gap, Template } from "./template.ts";

/** Longest text that a gap may take, in UTF-16 units. */
const gapUnitsMax = 200;
/** How many occurrences of a template's first words are tried. */
const attemptsMax = 32;

/** A text, and the same text with its case folded. */
export interface Readable {
  readonly text: string;
  readonly folded: string;
}

/** Where a template matched, and what its named gaps took. */
export interface TemplateMatch {
  readonly start: number;
  readonly end: number;
  readonly groups: Readonly<Record<string, string>>;
}

/**
 * Returns the first place where the template matches. A gap ends at the first occurrence of the words after it, without
 * backtracking, so the time is linear in the length of the text.
 */
export function matchTemplate(template: Template, subject: Readable): TemplateMatch | null {
  let at = subject.folded.indexOf(template.first);
  for (let attempt = 0; at >= 0 && attempt < attemptsMax; attempt += 1) {
    const match = matchAt(template, subject, at);
    if (match) return match;
    at = subject.folded.indexOf(template.first, at + 1);
  }
  return null;
}

function matchAt(template: Template, { text, folded }: Readable, at: number): TemplateMatch | null {
  const { lead, first, rest, tail, atLineStart } = template;
  const start = lead ? startOfLead(template, text, at) : at;
  if (start === null || !(atLineStart ? isLineStart(text, start) : lead !== null || !isInWord(text, start)))
    return null;
  const groups: Record<string, string> = {};
  const take = (gap: Gap, from: number, to: number): boolean => {
    const taken = text.slice(from, to).trim();
    if (gap.name !== null) groups[gap.name] = taken;
    return mayTake(gap, taken);
  };
  if (lead && !take(lead, start, at)) return null;
  let end = at + first.length;
  if (rest.length === 0 && !tail && !endsWell(template, text, end)) return null;
  for (const [index, { gap, words }] of rest.entries()) {
    const isLast = index === rest.length - 1 && !tail;
    const next = placeAfterGap(folded, end, words, (place) => !isLast || endsWell(template, text, place));
    if (next === null || !take(gap, end, next)) return null;
    end = next + words.length;
  }
  const last = tail ? endOfTail(template, text, end) : end;
  return tail && !take(tail, end, last) ? null : { start, end: last, groups };
}

/**
 * A gap whose name is in capitals takes only a name in capitals; any other named gap takes anything except the empty
 * string.
 */
function mayTake({ name }: Gap, taken: string): boolean {
  if (name === null) return true;
  return /[a-z]/.test(name) ? taken !== "" : /^[A-Z][A-Z0-9_]+$/.test(taken);
}

/** The first place on this line, within a gap's reach, where the words occur and may end. */
function placeAfterGap(folded: string, from: number, words: string, isEnd: (place: number) => boolean): number | null {
  const window = lineFrom(folded, from, gapUnitsMax + words.length);
  let at = window.indexOf(words);
  while (at >= 0 && !isEnd(from + at + words.length)) at = window.indexOf(words, at + 1);
  return at < 0 ? null : from + at;
}

/** The start of the word before the first words, or of the line if the template starts at the line's start. */
function startOfLead({ lead, atLineStart }: Template, text: string, at: number): number {
  if (lead?.name === null && !atLineStart) return at;
  const before = text.slice(Math.max(0, at - gapUnitsMax), at);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  if (atLineStart) return at - line.length;
  return at - line.length + line.trimEnd().lastIndexOf(" ") + 1;
}

/** The end of the word that follows, or of the line if the template ends at the line's end. */
function endOfTail({ tail, atLineEnd }: Template, text: string, from: number): number {
  const line = lineFrom(text, from, gapUnitsMax);
  if (atLineEnd) return from + line.length;
  if (tail?.name === null) return from;
  const word = /^ ?[^\s,;()"'`]*/.exec(line)?.[0] ?? "";
  return from + word.replace(/[.:!?]+$/, "").length;
}

function endsWell({ atLineEnd }: Template, text: string, end: number): boolean {
  return atLineEnd ? isLineEnd(text, end) : !isInWord(text, end);
}

function lineFrom(text: string, from: number, unitsMax: number): string {
  const window = text.slice(from, from + unitsMax);
  const end = window.indexOf("\n");
  return end < 0 ? window : window.slice(0, end);
}

/** Whether this place is in the middle of a word. */
function isInWord(text: string, at: number): boolean {
  return /\w/.test(text[at - 1] ?? "") && /\w/.test(text[at] ?? "");
}

function isLineStart(text: string, at: number): boolean {
  return at === 0 || text[at - 1] === "\n";
}

function isLineEnd(text: string, at: number): boolean {
  return at === text.length || text[at] === "\n";
}
