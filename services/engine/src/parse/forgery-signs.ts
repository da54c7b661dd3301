import { isTestFile } from "@whence/protocol";
import type { ParsedException } from "../findings/parsed-error.ts";
import type { ForgerySign } from "../signals/gap.ts";
import { tableOf } from "../source/languages/languages.ts";
import type { SourceText, Span } from "../source/source-text.ts";
import { headerAtStart, isAt } from "./formats/node-header.ts";
import { rewritesLines } from "./rewritten-lines.ts";

/** V8 keeps this many calls of a stack unless a program raises `Error.stackTraceLimit`. */
const v8FramesMax = 10;
/** Test runners, which raise it. */
const testRunner =
  /^node:internal\/test_runner\/|(?:^|\/)node_modules\/@?(?:jest|vitest|mocha|jasmine|ava|tap|tape|uvu|qunit|karma)[-/]/;
/** How a message ends when the text it quotes begins on the next line: `bad body:`, `got "`. */
const opensQuotation = /[\w)\]"'`][:=]$|(?:^|[\s\w:=])[([{]$/;
/** In the order in which reports name them. */
const signs: readonly ForgerySign[] = [
  "stack-in-message",
  "long-stack",
  "repeated-key",
  "terminal-control",
  "logged-value",
];
/** What Node.js prints between the stack of an error event and the place that emitted it. */
const emitted = "Emitted '";

/** What was read from a text that shows who wrote it. */
export interface ReadText {
  readonly exceptions: readonly ParsedException[];
  /** Indexes of the errors that are investigated. */
  readonly chain: readonly number[];
  readonly source: SourceText;
  /** JSON objects that give a name twice with different values. */
  readonly ambiguousJson: readonly Span[];
}

/**
 * Returns why the investigated error may have been forged by the author of a part of its message; empty for most texts.
 */
export function forgerySigns({ exceptions, chain, source, ambiguousJson }: ReadText): ForgerySign[] {
  const chosen = chain.flatMap((index) => exceptions[index] ?? []);
  const head = chosen[0];
  if (!head) return [];
  const found: Readonly<Record<ForgerySign, boolean>> = {
    "stack-in-message": chosen.some((exception) => mayQuoteStack(exception)),
    "long-stack": chosen.some(isLongerThanPrinted),
    "repeated-key": exceptions.some(({ printed }) => ambiguousJson.some((place) => holds(place, printed))),
    "terminal-control": exceptions.some(({ printed }) => rewritesLines(source.text, printed)),
    "logged-value": head.logContext.inValue,
  };
  return signs.filter((sign) => found[sign]);
}

function holds(place: Span, { start }: Span): boolean {
  return start >= place.start && start < place.end;
}

/** Returns whether calls of an error may have been printed as part of its message. */
function mayQuoteStack(exception: ParsedException): boolean {
  const { frames, message, language, logContext, throwSite } = exception;
  const [first] = frames;
  // The runtime printed where the error was thrown, and the stack begins there.
  if (!first || isAt(first, throwSite)) return false;
  if (logContext.mayQuoteStack) return true;
  if (isOfV8(exception))
    return endsOpen(message) || headerAtStart(message) !== null || resumes(frames) || isPartlyUnfolded(exception);
  return tableOf(language).printsMessageFirst === true && endsOpen(message);
}

/** Returns whether its calls are printed in V8's form. */
function isOfV8({ language, frames, source: { text } }: ParsedException): boolean {
  const place = frames[0]?.printed;
  return (
    language !== null &&
    tableOf(language).printsV8Stacks === true &&
    place != null &&
    text.slice(place.start, place.end).includes("at ")
  );
}

function endsOpen(message: string): boolean {
  const last = message.trimEnd().split("\n").at(-1) ?? "";
  return opensQuotation.test(last) || ['"', "`"].some((quote) => isOpen(last, quote));
}

/** Returns whether the last quotation mark of an odd number is in a position that opens a quotation. */
function isOpen(line: string, quote: string): boolean {
  const at = line.lastIndexOf(quote);
  return at >= 0 && line.split(quote).length % 2 === 0 && !/[\w.?!]/.test(line[at - 1] ?? "");
}

/** Returns whether awaited calls are above others: V8 prints them last. */
function resumes(frames: ParsedException["frames"]): boolean {
  const waiting = frames.findIndex((frame) => frame.async);
  return waiting >= 0 && frames.slice(waiting).some((frame) => !frame.async);
}

/** Returns whether some calls are on the line of the error's name, and others on lines of their own. */
function isPartlyUnfolded({ source: { text }, printed, frames }: ParsedException): boolean {
  const lineEnd = text.indexOf("\n", printed.start);
  if (lineEnd < 0) return false;
  // Next.js prints a place above the name.
  const below = frames.flatMap(({ printed: place }) => (place && place.start >= printed.start ? [place] : []));
  const places = below.map(({ start }) => start < lineEnd);
  return places.includes(true) && places.includes(false);
}

function isLongerThanPrinted(exception: ParsedException): boolean {
  if (!isOfV8(exception)) return false;
  const { frames, source, throwSite } = exception;
  const isEmitted = (index: number): boolean => {
    const [above, below] = [frames[index - 1]?.printed, frames[index]?.printed];
    return above != null && below != null && source.text.slice(above.end, below.start).includes(emitted);
  };
  const own = throwSite === null ? -1 : frames.findIndex((_, index) => isEmitted(index));
  const longest = Math.max(own < 0 ? frames.length : own, frames.length - Math.max(own, 0));
  return longest > v8FramesMax && !isOfTest(exception);
}

/**
 * Returns whether a stack ends in a test or its runner. The outermost calls are those that V8 printed: what a message
 * quotes is above them.
 */
function isOfTest({ frames }: ParsedException): boolean {
  const own = frames.findLast(({ origin }) => origin !== "runtime")?.file ?? "";
  const last = frames.at(-1)?.file ?? "";
  return isTestFile(own) || [own, last].some((file) => testRunner.test(file));
}
