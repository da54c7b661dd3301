import type { ParsedException, ParsedFrame, Scalar } from "../../findings.ts";
import type { SourceText, Span } from "../../source-text.ts";
import { indentOf, type ReadableLine } from "../lines.ts";
import { normalizePath, opensProperties, parseFrame } from "./node-frame.ts";
import { type Header, isAtStart, parseHeader } from "./node-header.ts";
import { parseInlineProperties, parseProperty } from "./node-properties.ts";

/** Longest message, in lines above the first frame. */
const messageLinesMax = 30;
const exceptionsMax = 60;
const framesMax = 200;

/** An error that is being read. */
interface Draft {
  type: string;
  message: string;
  properties: Record<string, Scalar>;
  frames: ParsedFrame[];
  parent: number | null;
  relation: ParsedException["relation"];
  indent: number;
  printed: Span;
  throwSite: ParsedException["throwSite"];
  fatal: boolean;
  /** Its properties are being printed. */
  isOpen: boolean;
  listsErrors: boolean;
}

/**
 * Reads errors as Node prints them, in one pass: chains (`[cause]:`, `caused by:`), aggregates (`[errors]: [`), their
 * properties, and the line and caret above an uncaught one. Whatever else stands in the text is passed over.
 */
export function parseNode(source: SourceText, lines: readonly ReadableLine[]): ParsedException[] {
  const reader = new NodeReader(lines);
  for (let index = 0; index < lines.length; index++) reader.read(index);
  return reader.drafts.map(({ indent: _, isOpen: _o, listsErrors: _l, ...draft }) => ({ ...draft, source }));
}

class NodeReader {
  readonly drafts: Draft[] = [];
  readonly #lines: readonly ReadableLine[];
  /** Lines up to here belong to something that was read. */
  #consumed = -1;
  /** The error whose frames are being read. */
  #current: Draft | null = null;
  #site: Draft["throwSite"] = null;
  /** A `[cause]:` header whose frames are still to come. */
  #announced: number | null = null;

  constructor(lines: readonly ReadableLine[]) {
    this.#lines = lines;
  }

  read(index: number): void {
    const line = this.#lines[index];
    if (!line) return;
    const text = line.text;
    if (this.#readFrame(index, line)) return;
    const trimmed = text.trim();
    if (this.#readCause(index, trimmed, indentOf(text))) return;
    if (this.#readStackless(index, text, trimmed)) return;
    if (this.#readStructure(trimmed, indentOf(text), line)) return;
    if (this.#readCaret(index)) return;
    if (/^Node\.js v\d/.test(trimmed)) this.#markFatal();
    if (!isFiller(trimmed)) this.#current = null;
  }

  #readFrame(index: number, line: ReadableLine): boolean {
    const frame = parseFrame(line.text, line.printed);
    if (!frame) return false;
    this.#current ??= this.#begin(index);
    if (!this.#current) return true;
    if (this.#current.frames.length < framesMax) this.#current.frames.push(frame);
    this.#current.printed = { start: this.#current.printed.start, end: line.printed.end };
    if (opensProperties(line.text)) this.#current.isOpen = true;
    this.#consumed = index;
    return true;
  }

  /** The error that the first of some frames belongs to: announced above, or found in the lines above. */
  #begin(frameIndex: number): Draft | null {
    if (this.#announced !== null) {
      const draft = this.drafts.at(-1);
      if (draft) draft.message = this.#message(draft.message, this.#announced, frameIndex);
      this.#announced = null;
      if (draft) return draft;
    }
    const at = this.#headerAbove(frameIndex);
    const above = this.#lines[at]?.text ?? "";
    const header = parseHeader(above) ?? looseHeader(above);
    const first = this.#message(header.message, at, frameIndex);
    return this.#add({ ...header, message: first }, at, indentOf(above));
  }

  /** The line of the error's name: the nearest above that has one, else the line right above. */
  #headerAbove(frameIndex: number): number {
    const floor = Math.max(this.#consumed + 1, frameIndex - messageLinesMax);
    let embedded = -1;
    for (let at = frameIndex - 1; at >= floor; at--) {
      const text = this.#lines[at]?.text ?? "";
      // A message may hold blank lines, as an assertion's does; then only a line that begins with a name is its first.
      if (text.trim() === "" && at < frameIndex - 1 && embedded >= 0) break;
      const header = parseHeader(text);
      if (header && isAtStart(text, header)) return at;
      const isAdjacent = !this.#hasBlank(at, frameIndex);
      if (header && embedded < 0 && isAdjacent) embedded = at;
    }
    if (embedded >= 0) return embedded;
    return Math.max(frameIndex - 1, floor);
  }

  #hasBlank(from: number, to: number): boolean {
    return this.#lines.slice(from, to).some(({ text }) => text.trim() === "");
  }

  #message(first: string, headerIndex: number, frameIndex: number): string {
    const more = this.#lines.slice(headerIndex + 1, Math.min(frameIndex, headerIndex + messageLinesMax));
    return [first, ...more.map((line) => line.text.trim())].join("\n").trim();
  }

  #add(header: Omit<Header, "start">, at: number, indent: number): Draft | null {
    if (this.drafts.length >= exceptionsMax) return null;
    const text = this.#lines[at]?.text ?? "";
    const parent = this.#parentOf(text, indent);
    const draft: Draft = {
      type: header.type,
      message: header.message,
      properties: { ...(header.code ? { code: header.code } : {}), ...parseInlineProperties(text) },
      frames: [],
      ...parent,
      indent,
      printed: this.#lines[at]?.printed ?? { start: 0, end: 0 },
      throwSite: this.#site,
      fatal: this.#site !== null,
      isOpen: false,
      listsErrors: false,
    };
    this.#site = null;
    this.drafts.push(draft);
    return draft;
  }

  #parentOf(text: string, indent: number): Pick<Draft, "parent" | "relation"> {
    const trimmed = text.trim();
    if (/^caused by: /i.test(trimmed) && this.drafts.length > 0) {
      return { parent: this.drafts.length - 1, relation: "cause" };
    }
    const parent = this.drafts.findLastIndex((draft) => draft.isOpen && draft.indent < indent);
    if (parent < 0) return { parent: null, relation: null };
    return { parent, relation: trimmed.startsWith("[cause]:") ? "cause" : "aggregated" };
  }

  #readCause(index: number, trimmed: string, indent: number): boolean {
    if (!trimmed.startsWith("[cause]:") && !/^caused by: /i.test(trimmed)) return false;
    const header = parseHeader(trimmed);
    if (!header) return false;
    this.#current = null;
    const draft = this.#add(header, index, indent);
    if (draft && opensProperties(trimmed)) draft.isOpen = true;
    this.#announced = draft && !trimmed.includes(" [Error: ") ? index : null;
    this.#consumed = index;
    return true;
  }

  /** `[AggregateError: text] {`: an error without frames of its own, whose properties follow. */
  #readStackless(index: number, text: string, trimmed: string): boolean {
    const header = trimmed.endsWith("] {") ? parseHeader(text) : null;
    const next = this.#lines[index + 1]?.text ?? "";
    if (!header || text[header.start - 1] !== "[" || indentOf(next) !== indentOf(text) + 2) return false;
    const draft = this.#add(header, index, indentOf(text));
    if (draft) draft.isOpen = true;
    this.#current = null;
    this.#consumed = index;
    return true;
  }

  /** Properties and brackets of the errors that are open. */
  #readStructure(trimmed: string, indent: number, line: ReadableLine): boolean {
    const open = this.drafts.findLast((draft) => draft.isOpen);
    if (!open) return false;
    const isClose = /^[}\]]+,?$/.test(trimmed);
    if (isClose && indent <= open.indent) {
      for (const draft of this.drafts) if (draft.isOpen && draft.indent >= indent) close(draft, line);
      this.#current = null;
      return true;
    }
    if (indent !== open.indent + 2) return false;
    if (trimmed === "[errors]: [") open.listsErrors = true;
    const property = parseProperty(trimmed);
    if (property) open.properties[property[0]] = property[1];
    return property !== null;
  }

  /** `file:line`, the source line, and a caret under where it was thrown. */
  #readCaret(index: number): boolean {
    const caret = this.#lines[index]?.text ?? "";
    if (!/^\s*\^+\s*$/.test(caret) || index < 2) return false;
    const site = /^(.{1,4000}):(\d{1,9})$/.exec(this.#lines[index - 2]?.text.trim() ?? "");
    if (!site?.[1]) return false;
    this.#site = { file: normalizePath(site[1]), line: Number(site[2]), column: caret.indexOf("^") + 1 };
    this.#consumed = index;
    return true;
  }

  #markFatal(): void {
    const head = this.drafts.findLast((draft) => draft.parent === null);
    if (head) head.fatal = true;
  }
}

function close(draft: Draft, line: ReadableLine): void {
  draft.isOpen = false;
  draft.printed = { start: draft.printed.start, end: line.printed.end };
}

/** Lines that may stand between frames of one stack. */
function isFiller(trimmed: string): boolean {
  return /^(?:Emitted '|\.\.\. \d+ (?:more|lines matching))/.test(trimmed);
}

/** For what has frames and no name that looks like an error's: `PaymentDeclined: no funds`, or just a text. */
function looseHeader(text: string): Omit<Header, "start"> {
  const trimmed = text.trim();
  const named = /^([A-Z][\w$]{2,80}): /.exec(trimmed);
  if (named?.[1]) return { type: named[1], message: trimmed.slice(named[0].length), code: null };
  // node-postgres names its errors `error`.
  const message = trimmed.startsWith("error: ") ? trimmed.slice("error: ".length) : trimmed;
  return { type: "Error", message, code: null };
}
