import type { ParsedException } from "../../findings/parsed-error.ts";
import { addFrame, attach, type Draft, draftsMax, extend, newDraft } from "../draft.ts";
import { type Header, isAtStart, parseHeader } from "../header.ts";
import { indentOf } from "../indent.ts";
import { normalizePath } from "../paths.ts";
import type { Stretch, TextFormat } from "../stretch.ts";
import { mappedPlace, opensProperties, parseFrame } from "./node-frame.ts";
import {
  comparisonAbove,
  isAt,
  isNamedWithin,
  isOfDeno,
  isQuoted,
  leadsTo,
  legendWithin,
  looseHeader,
  messageLinesMax,
  nameBelow,
  nameless,
  outerName,
  quotesAnother,
} from "./node-header.ts";
import { parseInlineProperties, parseProperty } from "./node-properties.ts";
import { parseWarning } from "./node-warning.ts";

/** No chain is printed deeper than this, by hand or by util.inspect. */
const openMax = 40;

/**
 * Errors as Node.js, Deno, and Bun print them, in one pass: chains (`[cause]:`, `caused by:`), aggregates (`[errors]:
 * [`), their properties, warnings, and the source line and caret above an uncaught error. Any other text is skipped.
 */
export const nodeFormat: TextFormat = {
  name: "Node.js, Deno, Bun, Chromium",
  language: "javascript",
  readCall: (line) => parseFrame(line.text, line.printed),
  read(stretch) {
    const reader = new NodeReader(stretch);
    for (let index = 0; index < stretch.length; index++) reader.read(index);
    return reader.withoutQuotedCalls();
  },
};

/** An error whose properties are being printed, and the indentation of its first line. */
interface Open {
  readonly draft: Draft;
  readonly indent: number;
}

class NodeReader {
  readonly drafts: Draft[] = [];
  readonly #stretch: Stretch;
  /** Lines up to here were already read as part of something. */
  #consumed = -1;
  /** The error whose frames are being read. */
  #current: Open | null = null;
  /** Outermost first. */
  #open: Open[] = [];
  #site: { readonly place: NonNullable<ParsedException["throwSite"]>; readonly line: number } | null = null;
  /** A `[cause]:` header whose frames are still to come. */
  #announced: { readonly open: Open; readonly line: number } | null = null;
  /** Errors up to here were checked for having ended the process. */
  #judged = 0;
  /** Uncaught errors whose message names another one. */
  readonly #quoting: Draft[] = [];
  /** The indentation of the current error's calls. */
  #indent = 0;
  /** The lines in which the last error's name was searched. */
  #named: { readonly header: number; readonly floor: number } | null = null;

  constructor(stretch: Stretch) {
    this.#stretch = stretch;
  }

  read(index: number): void {
    const text = this.#stretch.text(index);
    if (this.#readFrame(index, text)) return;
    const trimmed = text.trim();
    const indent = indentOf(text);
    if (this.#readCause(index, trimmed, indent)) return;
    if (this.#readStackless(index, text, trimmed)) return;
    if (this.#readStructure(index, trimmed, indent)) return;
    if (this.#readCaret(index, text) || this.#readWarning(index, trimmed)) return;
    if (trimmed.startsWith("Node.js v")) this.#markFatal();
    if (!isFiller(trimmed)) this.#current = null;
  }

  #readFrame(index: number, text: string): boolean {
    const frame = parseFrame(text, this.#stretch.line(index)?.printed ?? null);
    if (!frame) return this.#readMapped(index, text);
    const indent = indentOf(text);
    if (this.#current) this.#withoutDeeper(indent);
    else {
      this.#current = this.#begin(index);
      this.#indent = indent;
    }
    this.#consumed = index;
    this.#stretch.take(index);
    if (!this.#current) return true;
    addFrame(this.#current.draft, frame);
    if (opensProperties(text)) this.#opens(this.#current);
    return true;
  }

  /** Reads the original place below its frame. */
  #readMapped(index: number, text: string): boolean {
    const frames = this.#current?.draft.frames;
    const last = frames?.at(-1);
    const place = last ? mappedPlace(text) : null;
    if (!place || !last || !frames) return false;
    const below = this.#stretch.span(index);
    const printed = last.printed && { start: last.printed.start, end: below.end };
    frames[frames.length - 1] = { ...last, ...place, printed };
    if (this.#current) extend(this.#current.draft, below);
    this.#stretch.take(index);
    this.#consumed = index;
    return true;
  }

  /** Starts the error that the first of some frames belongs to: announced, or found in the lines above. */
  #begin(frameIndex: number): Open | null {
    const continued = this.#continued(frameIndex);
    if (continued) return continued;
    if (this.#announced !== null) {
      const { open, line } = this.#announced;
      open.draft.message = this.#message(open.draft.message, line, frameIndex);
      this.#announced = null;
      return open;
    }
    const floor = this.#consumed + 1;
    const at =
      (this.#site && nameBelow(this.#stretch, this.#site.line + 1, frameIndex)) ?? this.#headerAbove(frameIndex);
    const above = this.#stretch.text(at);
    // A stack that is cut off at the top has no name.
    const header = at === frameIndex ? nameless : (parseHeader(above) ?? looseHeader(above));
    const mayStandInMessage = isQuoted(this.#stretch, at, floor);
    const opened = this.#add(
      { ...header, message: this.#message(header.message, at, frameIndex) },
      at,
      indentOf(above),
    );
    if (opened) Object.assign(opened.draft.properties, this.#propertiesBetween(at, frameIndex));
    if (opened && mayStandInMessage) markQuoting(opened.draft);
    if (opened?.draft.throwSite && quotesAnother(this.#stretch, at, frameIndex)) this.#quoting.push(opened.draft);
    this.#stretch.take(at, frameIndex - 1);
    this.#named = { header: at, floor };
    return opened;
  }

  /**
   * Returns the error whose message contains the frames above. Frames without a name continue a stack, so what looked
   * like one before them was part of its message.
   */
  #continued(frameIndex: number): Open | null {
    const last = this.drafts.at(-1);
    if (!last || !this.#named || this.#announced || last.parent !== null) return null;
    const gap = this.#consumed + 1;
    if (frameIndex - gap >= messageLinesMax || isNamedWithin(this.#stretch, gap, frameIndex)) return null;
    const { throwSite: site } = last;
    if (site && !last.frames.some((frame) => isAt(frame, site)))
      return leadsTo(this.#stretch, site, frameIndex) ? this.#restart(last, null) : null;
    const outer = outerName(this.#stretch, this.#named.header, this.#named.floor);
    if (outer === null && frameIndex > gap) markQuoting(last);
    return outer && this.#restart(last, outer);
  }

  /**
   * Drops calls that are part of the message: those of one stack are indented alike, so deeper ones right above the
   * first don't belong.
   */
  #withoutDeeper(indent: number): void {
    const { draft } = this.#current ?? {};
    if (!draft || draft.parent !== null || !this.#named || indent >= this.#indent) return;
    this.#current = this.#restart(draft, outerName(this.#stretch, this.#named.header, this.#named.floor));
    this.#indent = indent;
  }

  #restart(draft: Draft, outer: { readonly header: Header; readonly at: number } | null): Open {
    if (outer) {
      const { type, message, code } = outer.header;
      Object.assign(draft, { type, message, properties: code ? { code } : {} });
      extend(draft, this.#stretch.span(outer.at));
      this.#stretch.take(outer.at);
      this.#named = null;
    }
    draft.frames = [];
    markQuoting(draft);
    return { draft, indent: 0 };
  }

  /**
   * Drops calls that another error named and that are above the place where this one was thrown: they are part of its
   * message.
   */
  withoutQuotedCalls(): Draft[] {
    for (const draft of this.#quoting) {
      const thrown = draft.frames.findIndex((frame) => isAt(frame, draft.throwSite));
      if (thrown > 0) draft.frames = draft.frames.slice(thrown);
    }
    return this.drafts;
  }

  /** Returns the line of the error's name: the nearest line above that has one, or else the line right above. */
  #headerAbove(frameIndex: number): number {
    const compared = comparisonAbove(this.#stretch, this.#consumed + 1, frameIndex);
    if (compared !== null) return compared;
    const floor = Math.max(this.#consumed + 1, frameIndex - messageLinesMax);
    let embedded = -1;
    let hasBlank = false;
    for (let at = frameIndex - 1; at >= floor; at--) {
      const text = this.#stretch.text(at);
      // A message may contain blank lines, as an assertion's does; then only a line that begins with a name starts it.
      if (text.trim() === "") {
        if (at < frameIndex - 1 && embedded >= 0) break;
        hasBlank = true;
        continue;
      }
      const header = parseHeader(text);
      if ((header && isAtStart(text, header)) || isOfDeno(text)) return at;
      if (header && embedded < 0 && !hasBlank) embedded = at;
    }
    return embedded >= 0 ? embedded : this.#looseHeaderAbove(frameIndex, floor);
  }

  /** Skips what Bun prints between a message and its frames, code that Deno marks, and `Thrown at:`. */
  #looseHeaderAbove(frameIndex: number, floor: number): number {
    const isBetween = (text: string): boolean => text === "" || text === "Thrown at:" || parseProperty(text) !== null;
    for (let at = frameIndex - 1; at >= floor; at--) {
      const text = this.#stretch.text(at).trim();
      if (isMark(text) && at - 2 >= floor) at--;
      else if (!isBetween(text)) return at;
    }
    return Math.max(frameIndex - 1, floor);
  }

  #message(first: string, headerIndex: number, frameIndex: number): string {
    const more: string[] = [];
    for (let at = headerIndex + 1; at < Math.min(frameIndex, headerIndex + messageLinesMax); at++) {
      const text = this.#stretch.text(at).trim();
      if (isMark(text)) more.pop();
      else if (text !== "Thrown at:") more.push(text);
    }
    const isBun = more.length > 1 && more.every((text) => text === "" || parseProperty(text) !== null);
    return [first, ...(isBun ? [] : more)].join("\n").trim();
  }

  #propertiesBetween(at: number, frameIndex: number): Draft["properties"] {
    const properties: Draft["properties"] = {};
    // What differs between two values looks like properties.
    if (legendWithin(this.#stretch, at, frameIndex) !== null) return properties;
    for (let index = at + 1; index < frameIndex; index++) {
      const property = parseProperty(this.#stretch.text(index));
      if (property) properties[property[0]] = property[1];
    }
    return properties;
  }

  #add(header: Omit<Header, "start">, at: number, indent: number): Open | null {
    if (this.drafts.length >= draftsMax) return null;
    const text = this.#stretch.text(at);
    const draft = newDraft(header.type, header.message, this.#stretch.span(at), {
      properties: { ...(header.code ? { code: header.code } : {}), ...parseInlineProperties(text) },
      throwSite: this.#site?.place ?? null,
      fatal: this.#site !== null,
      language: "javascript",
    });
    this.#relate(draft, text.trim(), indent, at);
    this.#site = null;
    this.drafts.push(draft);
    this.#stretch.take(at);
    return { draft, indent };
  }

  #relate(draft: Draft, trimmed: string, indent: number, at: number): void {
    const last = this.drafts.at(-1);
    if (/^caused by: /i.test(trimmed)) {
      if (last && this.#isBehindStack(at)) attach(draft, last, "cause");
      return;
    }
    const parent = this.#open.findLast((open) => open.indent < indent);
    if (parent) attach(draft, parent.draft, trimmed.startsWith("[cause]:") ? "cause" : "aggregated");
  }

  #readCause(index: number, trimmed: string, indent: number): boolean {
    const isListed = trimmed.startsWith("[cause]:") && this.#open.some((open) => open.indent < indent);
    if (!isListed && !(/^caused by: /i.test(trimmed) && this.#isBehindStack(index))) return false;
    const header = parseHeader(trimmed);
    if (!header) return false;
    this.#current = null;
    const opened = this.#add(header, index, indent);
    if (opened && opensProperties(trimmed)) this.#opens(opened);
    this.#announced = opened && !trimmed.includes(" [Error: ") ? { open: opened, line: index } : null;
    this.#consumed = index;
    return true;
  }

  /** Returns whether the line right above belongs to a stack: a cause further away belongs to something else. */
  #isBehindStack(index: number): boolean {
    return this.#consumed === index - 1 && this.drafts.length > 0;
  }

  /** Reads `[AggregateError: text] {`: an error without frames of its own, whose properties follow. */
  #readStackless(index: number, text: string, trimmed: string): boolean {
    const header = trimmed.endsWith("] {") ? parseHeader(text) : null;
    if (!header || text[header.start - 1] !== "[") return false;
    if (indentOf(this.#stretch.text(index + 1)) !== indentOf(text) + 2) return false;
    const opened = this.#add(header, index, indentOf(text));
    if (opened) this.#opens(opened);
    this.#current = null;
    this.#consumed = index;
    return true;
  }

  /** Reads properties and brackets of the open errors. */
  #readStructure(index: number, trimmed: string, indent: number): boolean {
    const open = this.#open.at(-1);
    if (!open) return false;
    if (/^[}\]]+,?$/.test(trimmed) && indent <= open.indent) {
      for (let last = this.#open.at(-1); last && last.indent >= indent; last = this.#open.at(-1)) {
        extend(last.draft, this.#stretch.span(index));
        this.#open.pop();
      }
      this.#current = null;
      return true;
    }
    const property = indent === open.indent + 2 ? parseProperty(trimmed) : null;
    if (property) open.draft.properties[property[0]] = property[1];
    return property !== null;
  }

  #opens(open: Open): void {
    if (this.#open.at(-1)?.draft !== open.draft && this.#open.length < openMax) this.#open.push(open);
  }

  /** Reads `file:line`, the source line, and the caret below it. */
  #readCaret(index: number, caret: string): boolean {
    if (!caret.includes("^") || !/^\s*\^+\s*$/.test(caret) || index < 2) return false;
    const site = /^(.{1,4000}):(\d{1,9})$/.exec(this.#stretch.text(index - 2).trim());
    if (!site?.[1]) return false;
    const place = { file: normalizePath(site[1]), line: Number(site[2]), column: caret.indexOf("^") + 1 };
    this.#site = { place, line: index };
    this.#consumed = index;
    return true;
  }

  #readWarning(index: number, trimmed: string): boolean {
    const warning = parseWarning(trimmed);
    if (!warning) return false;
    const opened = this.#add(warning, index, 0);
    if (opened) opened.draft.level = warning.level;
    this.#current = opened;
    this.#consumed = index;
    return true;
  }

  /**
   * Marks what ended the process: the last error, or a thrown value that isn't an error when only its place was
   * printed.
   */
  #markFatal(): void {
    if (this.#site) {
      const at = this.#site.line + 1;
      this.#add({ type: "Uncaught", message: this.#stretch.text(at).trim(), code: null }, at, 0);
    }
    if (this.drafts.length === this.#judged) return;
    this.#judged = this.drafts.length;
    const head = this.drafts.findLast((draft) => draft.parent === null && draft.level !== "warn");
    if (head) head.fatal = true;
  }
}

/** Returns whether a line marks a part of the code above it. */
function isMark(trimmed: string): boolean {
  return /^(?:\^+|~+)$/.test(trimmed);
}

function markQuoting(draft: Draft): void {
  draft.logContext = { ...draft.logContext, mayQuoteStack: true };
}

/** Returns whether a line may come between frames of one stack. */
function isFiller(trimmed: string): boolean {
  return /^(?:Emitted '|From Your Spec Code:$|\.\.\. \d{1,9} (?:more|lines matching)|---)/.test(trimmed);
}
