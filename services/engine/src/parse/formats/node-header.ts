import type { ParsedException, ParsedFrame } from "../../findings/parsed-error.ts";
import { type Header, isAtStart, namesFailure, parseHeader } from "../header.ts";
import { readRecord } from "../records/records.ts";
import type { Stretch } from "../stretch.ts";
import { parseFrame } from "./node-frame.ts";

/** Longest message, in lines above the first frame. */
export const messageLinesMax = 30;

type Name = Omit<Header, "start">;
type Site = ParsedException["throwSite"];

/** The name of a stack that is cut off at the top. */
export const nameless: Name = { type: "Error", message: "", code: null };

/** What Deno prints before an uncaught error, and before what its type checker found. */
const denoLead = /^error: (?=Uncaught |TS\d)(?:Uncaught )?(?:\(in promise\) )?/;
const denoCheck = /^(TS\d{1,6}) \[ERROR\]: (.*)$/;
const looseName = /^([A-Z][\w$]{2,80}): /;

/**
 * Returns the name for frames below a line that doesn't look like an error's name: `PaymentDeclined: no funds`, or
 * plain text.
 */
export function looseHeader(text: string): Name {
  const trimmed = text.trim().replace(denoLead, "");
  const [, code, said] = denoCheck.exec(trimmed) ?? [];
  if (code !== undefined && said !== undefined) return { type: code, message: said, code: null };
  const named = looseName.exec(trimmed);
  if (named?.[1]) return { type: named[1], message: trimmed.slice(named[0].length), code: null };
  const within = nameWithin(trimmed);
  if (within) return within;
  // node-postgres names its errors `error`.
  const message = trimmed.startsWith("error: ") ? trimmed.slice("error: ".length) : trimmed;
  return { type: "Error", message, code: null };
}

/** A class's name of several words behind what a logger adds: `reach(kites) PoolTimeout: none`, `lens/error: NotFree: …`. */
const wordedName = /(?<!\S)((?:[A-Z][a-z0-9]{1,40}){2,8}): /g;
/** A longer line isn't searched for a name. */
const searchedUnitsMax = 400;

/** Returns the failure that a line above calls names by a class, further into the line. */
function nameWithin(text: string): Name | null {
  for (const { 0: found, 1: type = "", index } of text.slice(0, searchedUnitsMax).matchAll(wordedName)) {
    if (!namesFailure.test(type) && !/\berror: $/i.test(text.slice(0, index))) continue;
    return { type, message: text.slice(index + found.length), code: null };
  }
  return null;
}

/** What an assertion prints above the lines in which two values differ. */
const legend = /^\s*(?:\+ (?:actual - expected|expected - actual)\b|[-+] (?:Expected|Received|expected|actual)$)/;
/** More lines of a difference are left out by those who print it. */
const differenceLinesMax = 120;

/**
 * Returns the line that names the assertion whose values differ in the lines above the calls, which may contain the
 * names of other errors; null without such lines.
 */
export function comparisonAbove(stretch: Stretch, from: number, frameIndex: number): number | null {
  const floor = Math.max(from, frameIndex - differenceLinesMax);
  if (legendWithin(stretch, floor, frameIndex) === null) return null;
  const below = legendWithin(stretch, lastOutside(stretch, floor, frameIndex) + 1, frameIndex);
  if (below === null) return null;
  for (let at = below - 1; at >= Math.max(floor, below - messageLinesMax); at--)
    if (headerAtStart(stretch.text(at))) return at;
  return null;
}

/**
 * Returns the last line above the calls that can't be part of a difference, whose lines begin with `+`, `-`, or a space:
 * an error's name, a log record, or the second blank line in a row. Otherwise the line above `floor`.
 */
function lastOutside(stretch: Stretch, floor: number, frameIndex: number): number {
  for (let at = frameIndex - 1; at >= floor; at--) {
    const text = stretch.text(at);
    if (text.trim() === "" && at > floor && stretch.text(at - 1).trim() === "") return at;
    if (/^[^\s+-]/.test(text) && (headerAtStart(text) || isRecord(stretch, at))) return at;
  }
  return floor - 1;
}

function isRecord(stretch: Stretch, index: number): boolean {
  const line = stretch.line(index);
  return line !== null && readRecord({ ...line, carrier: null }) !== null;
}

/** Returns the first line above which an assertion says which of two values is which. */
export function legendWithin(stretch: Stretch, from: number, to: number): number | null {
  for (let at = from; at < to; at++) if (legend.test(stretch.text(at))) return at;
  return null;
}

/** Returns whether Deno names an error on a line. */
export function isOfDeno(text: string): boolean {
  return denoLead.test(text.trim());
}

/** Returns the error that a line begins with. */
export function headerAtStart(text: string): Header | null {
  const header = parseHeader(text);
  return header && isAtStart(text, header) ? header : null;
}

/** Returns whether a call is the one that threw. */
export function isAt({ file, line }: ParsedFrame, site: Site): boolean {
  return site !== null && site.line === line && site.file === file;
}

/** Returns whether some lines name an error, however loosely, or end the output. */
export function isNamedWithin(stretch: Stretch, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const text = stretch.text(at).trim();
    if (text === "" || parseHeader(text) || looseName.test(text)) return true;
  }
  return false;
}

/** Returns whether the lines of a message name another error. */
export function quotesAnother(stretch: Stretch, header: number, frameIndex: number): boolean {
  for (let at = header + 1; at < frameIndex; at++) if (headerAtStart(stretch.text(at))) return true;
  return false;
}

/** Returns whether the name of an error may be part of another error's message, which the line right above names. */
export function isQuoted(stretch: Stretch, header: number, floor: number): boolean {
  const own = headerAtStart(stretch.text(header));
  const above = header > floor ? parseHeader(stretch.text(header - 1)) : null;
  return own !== null && above !== null && above.message !== "" && above.message !== own.message;
}

/** Returns whether the calls from a line on include the place where an error was thrown. */
export function leadsTo(stretch: Stretch, site: Site, from: number): boolean {
  for (let at = from; at < from + messageLinesMax; at++) {
    const frame = parseFrame(stretch.text(at), null);
    if (!frame) return false;
    if (isAt(frame, site)) return true;
  }
  return false;
}

/**
 * Returns the line of the name right below the place that the runtime printed, from `from` on; null when something else
 * is there.
 */
export function nameBelow(stretch: Stretch, from: number, frameIndex: number): number | null {
  if (frameIndex - from > messageLinesMax) return null;
  let at = from;
  while (at < frameIndex && stretch.text(at).trim() === "") at++;
  return at < frameIndex && headerAtStart(stretch.text(at)) ? at : null;
}

/** Returns the name whose message may contain the line `header`, although that line looks like a name too. */
export function outerName(stretch: Stretch, header: number, floor: number): { header: Header; at: number } | null {
  for (let at = header - 1; at >= Math.max(floor, header - messageLinesMax); at--) {
    const text = stretch.text(at);
    const outer = headerAtStart(text);
    if (outer) return { header: outer, at };
    if (text.trim() === "") return null;
  }
  return null;
}
