import { namedValues } from "./named-values.ts";
import { personalData } from "./personal-data.ts";
import { providerTokens } from "./provider-tokens.ts";
import { randomStrings } from "./random-strings.ts";
import type { Span } from "./span.ts";

/** What replaces secrets and personal data in one investigation's prompts, and knows what it replaced. */
export interface Redactor {
  /** Returns the text with labels such as `[email 1]` in place of secrets and personal data. Lines stay the same. */
  redact(text: string): string;
  /** Returns the text with the originals in place of this redactor's labels, for comparison with what they are from. */
  restore(text: string): string;
  /** How many different values were replaced, by kind. */
  readonly replaced: Readonly<Record<string, number>>;
}

/** What finds spans, the surest first: where two overlap, the first one counts. */
const finders: readonly ((text: string) => readonly Span[])[] = [
  providerTokens,
  namedValues,
  personalData,
  randomStrings,
];

/** Texts of secrets that adjoin each other need as many passes as there are secrets in a row; then it ends. */
const passesMax = 8;

/** A label, whether it is a redactor's or an outsider wrote it. */
const label = /\[\w[\w -]{1,40} \d{1,9}\]/g;

/**
 * Creates a redactor for one investigation. It replaces secrets and personal data by labels that stay the same for the
 * same value, so a reader can follow one person or key through all texts. The originals are kept in memory only. A
 * label that stands in a text before the redactor gave it out is left there and never given out; its own labels are
 * left, too, so a text can be redacted twice.
 */
export function redactor(): Redactor {
  const labels = new Map<string, string>();
  const originals = new Map<string, string>();
  const taken = new Set<string>();
  const numbers = new Map<string, number>();
  const replaced: Record<string, number> = {};
  const labelOf = (kind: string, value: string): string => {
    const key = `${kind}\0${value}`;
    const known = labels.get(key);
    if (known) return known;
    const given = nextLabel(kind);
    labels.set(key, given);
    originals.set(given, value);
    replaced[kind] = (replaced[kind] ?? 0) + 1;
    return given;
  };
  /** Labels of a kind are numbered from 1; those that a text already had are passed over. */
  const nextLabel = (kind: string): string => {
    let number = numbers.get(kind) ?? 0;
    do number += 1;
    while (taken.has(`[${kind} ${number}]`));
    numbers.set(kind, number);
    return `[${kind} ${number}]`;
  };
  const redactOnce = (text: string): string => {
    const written = [...text.matchAll(label)];
    for (const { 0: found } of written) taken.add(found);
    const kept = written.map(({ 0: found, index }) => ({ kind: "", start: index, end: index + found.length }));
    return replace(text, firstOfEach([kept, ...finders.map((find) => find(text))]), labelOf);
  };
  return {
    replaced,
    redact(text) {
      let redacted = redactOnce(text);
      // What adjoined a secret without a gap may be recognized only beside its label.
      for (let before = text, pass = 1; redacted !== before && pass < passesMax; pass += 1) {
        before = redacted;
        redacted = redactOnce(before);
      }
      return redacted;
    },
    restore: (text) => text.replace(label, (found) => originals.get(found) ?? found),
  };
}

/** Returns the spans in the order of the text, of those that overlap the one of the earlier list. */
function firstOfEach(lists: readonly (readonly Span[])[]): readonly Span[] {
  let chosen: Span[] = [];
  for (const list of lists) chosen = merge(chosen, list);
  return chosen;
}

/** Adds the parts of the spans that the chosen ones don't cover. */
function merge(chosen: readonly Span[], list: readonly Span[]): Span[] {
  const merged: Span[] = [];
  const sorted = [...list].filter(({ start, end }) => end > start).sort((a, b) => a.start - b.start || b.end - a.end);
  let at = 0;
  let covered = 0;
  for (const span of sorted) {
    let start = Math.max(span.start, covered);
    for (let next = chosen[at]; next && next.start < span.end; next = chosen[at]) {
      if (next.start > start) merged.push({ ...span, start, end: next.start });
      merged.push(next);
      start = Math.max(start, next.end);
      at += 1;
    }
    if (start < span.end) merged.push({ ...span, start });
    covered = Math.max(covered, span.end, start);
  }
  return [...merged, ...chosen.slice(at)].sort((a, b) => a.start - b.start);
}

/** Replaces each span by its label, and each line of a span of several by one of its own, so that lines stay. */
function replace(text: string, spans: readonly Span[], labelOf: (kind: string, value: string) => string): string {
  const parts: string[] = [];
  let at = 0;
  for (const { kind, start, end } of spans) {
    const value = text.slice(start, end);
    const shown = kind ? value.replace(/\S(?:[^\r\n\u2028\u2029\v\f\x85]*\S)?/g, (line) => labelOf(kind, line)) : value;
    parts.push(text.slice(at, start), shown);
    at = end;
  }
  return parts.join("") + text.slice(at);
}
