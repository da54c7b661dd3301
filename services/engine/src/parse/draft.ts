import { type LogContext, noLogContext } from "../findings/log-context.ts";
import type { ErrorRelation, ParsedException, ParsedFrame, Scalar } from "../findings/parsed-error.ts";
import type { LogLevel } from "../signals/inputs/record.ts";
import type { Language } from "../source/languages/languages.ts";
import type { SourceText, Span } from "../source/source-text.ts";
import { withoutClientCalls } from "./client-calls.ts";
import { withCountablePlace } from "./countable-place.ts";
import { withoutConstruction } from "./error-construction.ts";

/** An error that is being read. */
export interface Draft {
  type: string;
  message: string;
  properties: Record<string, Scalar>;
  /** Innermost call first. */
  frames: ParsedFrame[];
  parent: Draft | null;
  relation: ErrorRelation | null;
  printed: Span;
  throwSite: ParsedException["throwSite"];
  fatal: boolean;
  language: Language | null;
  level: LogLevel | null;
  repeats: number;
  logContext: LogContext;
}

/** More calls add nothing: recursion repeats itself. */
export const framesMax = 200;

/** More errors than the longest text can print; whatever is left out is counted later. */
export const draftsMax = 100_000;

/** Creates an error with only its name known. */
export function newDraft(type: string, message: string, printed: Span, more: Partial<Draft> = {}): Draft {
  return {
    type,
    message,
    properties: {},
    frames: [],
    parent: null,
    relation: null,
    printed,
    throwSite: null,
    fatal: false,
    language: null,
    level: null,
    repeats: 1,
    logContext: noLogContext,
    ...more,
  };
}

/** Makes a draft a cause, or another relation, of another one. */
export function attach(child: Draft, parent: Draft, relation: ErrorRelation): void {
  child.parent = parent;
  child.relation = relation;
}

/** Returns the outermost error of the chain that an error belongs to. */
export function headOf(draft: Draft): Draft {
  let head = draft;
  while (head.parent !== null) head = head.parent;
  return head;
}

/** Extends the span where an error is printed. */
export function extend(draft: Draft, { start, end }: Span): void {
  draft.printed = { start: Math.min(draft.printed.start, start), end: Math.max(draft.printed.end, end) };
}

/** Adds a call, and keeps only the innermost {@link framesMax}. */
export function addFrame(draft: Draft, frame: ParsedFrame): void {
  if (draft.frames.length < framesMax) draft.frames.push(frame);
  if (frame.printed) extend(draft, frame.printed);
}

/** Returns the errors of a text, with heads in reading order, each followed by its chain. */
export function arrange(drafts: readonly Draft[], source: SourceText): ParsedException[] {
  const children = new Map<Draft | null, Draft[]>();
  const known = new Set(drafts);
  for (const draft of drafts) {
    const parent = draft.parent && known.has(draft.parent) ? draft.parent : null;
    const siblings = children.get(parent);
    if (siblings) siblings.push(draft);
    else children.set(parent, [draft]);
  }
  const ordered: Draft[] = [];
  const waiting = (children.get(null) ?? []).sort(byPlace).reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    ordered.push(next);
    waiting.push(...(children.get(next) ?? []).sort(byPlace).reverse());
  }
  const indexes = new Map(ordered.map((draft, index) => [draft, index]));
  return ordered.map(({ parent, frames, throwSite, ...rest }) => {
    const index = parent ? (indexes.get(parent) ?? null) : null;
    const relation = index === null ? null : rest.relation;
    const places = { frames: withoutClientCalls(frames).map(withCountablePlace), throwSite: countableSite(throwSite) };
    return withoutConstruction({ ...rest, ...places, parent: index, relation, source });
  });
}

function countableSite(site: Draft["throwSite"]): Draft["throwSite"] {
  const place = site && withCountablePlace(site);
  return place?.line ? { ...place, line: place.line } : null;
}

function byPlace(left: Draft, right: Draft): number {
  return left.printed.start - right.printed.start;
}
