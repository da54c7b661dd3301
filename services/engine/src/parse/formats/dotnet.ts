import type { ParsedFrame } from "../../findings/parsed-error.ts";
import type { Span } from "../../source/source-text.ts";
import { addFrame, attach, type Draft, draftsMax, extend, newDraft } from "../draft.ts";
import { frameOrigin } from "../frame-origin.ts";
import { normalizePath } from "../paths.ts";
import type { Stretch, TextFormat } from "../stretch.ts";

/** How many lines above the first frame or arrow are searched for the name. */
const headerLinesMax = 12;
/** Maximum inner exceptions on one line, as .NET Framework prints them. */
const innerMax = 30;

/**
 * Exceptions of .NET, with inner ones after arrows, aggregates, and frames carried over from where a task was awaited.
 */
export const dotnetFormat: TextFormat = {
  name: ".NET",
  language: "dotnet",
  read(stretch) {
    const reader = new DotnetReader(stretch);
    for (let index = 0; index < stretch.length; index++) reader.read(index);
    return reader.drafts;
  },
};

const arrow = "---> ";
const endOfInner =
  /^--- (?:End of inner exception stack trace|Ende der internen Ausnahmestapelüberwachung|Fin de la trace de la pile d'exception interne) ---$/;
const filler = /^--- End of stack trace from previous location/;
/** `System.InvalidOperationException: text`, `Npgsql.PostgresException (0x80004005): 57P01: text`. */
const name =
  /^((?:[A-Za-z_]\w{0,80}[.+]){0,12}[A-Z_]\w{0,120}(?:`\d)?)(?: \(0x[0-9A-Fa-f]{1,8}\)| \(\d{1,9}\))?(?:: ([\s\S]*)|)$/;
/** The same within a line that starts with a log prefix. */
const nameWithin =
  /(?:^|[\s\]])((?:[A-Za-z_]\w{0,80}[.+]){0,12}[A-Z_]\w{0,120}(?:Exception|Error))(?: \(0x[0-9A-Fa-f]{1,8}\)| \(\d{1,9}\))?: (.*)$/;
/** What Visual Studio shows of an exception: its type, and below that its fields. */
const debugged =
  /^((?:[A-Za-z_]\w{0,80}[.+]){0,12}\w{1,120}(?:Exception|Error)) (?:was unhandled|occurred)(?: by user code| in user code)?$/;
const messageField = "Message=";
const unhandled = /^(?:Unhandled exception[.:] |Unhandled Exception: )/;
const memberMark = /^\(Inner Exception #(\d{1,4})\) /;

class DotnetReader {
  readonly drafts: Draft[] = [];
  readonly #stretch: Stretch;
  /** The exceptions of the current chain, the outermost first. */
  #chain: Draft[] = [];
  #head: Draft | null = null;
  #consumed = -1;
  /** Whether the current exception was already read: an aggregate repeats its inner exception as its first member. */
  #isRepeated = false;

  constructor(stretch: Stretch) {
    this.#stretch = stretch;
  }

  read(index: number): void {
    // `<---` ends a member of an aggregate.
    const trimmed = this.#stretch.text(index).trim().replace(/<---$/, "");
    const frame = parseDotnetFrame(trimmed, this.#stretch.line(index)?.printed ?? null);
    if (frame) {
      this.#readFrame(index, frame);
      return;
    }
    if (trimmed.startsWith(arrow)) {
      this.#readArrow(index, trimmed.slice(arrow.length));
      return;
    }
    if (this.#head && endOfInner.test(trimmed)) {
      if (this.#chain.length > 1) this.#chain.pop();
      this.#take(index);
      return;
    }
    if (this.#head && (filler.test(trimmed) || trimmed === "InnerException:")) {
      this.#take(index);
      return;
    }
    if (this.#head && this.#isWaiting(index, trimmed)) return;
    this.#head = null;
    this.#chain = [];
  }

  /** A message may continue below an arrow until the first frame. */
  #isWaiting(index: number, trimmed: string): boolean {
    const innermost = this.#chain.at(-1);
    if (!innermost || innermost.frames.length > 0 || trimmed === "" || index - this.#consumed > headerLinesMax)
      return false;
    innermost.message = `${innermost.message}\n${trimmed}`.slice(0, 4_000).trim();
    return true;
  }

  #readFrame(index: number, frame: ParsedFrame): void {
    if (!this.#head) this.#begin(index);
    const innermost = this.#chain.at(-1);
    if (!innermost) return;
    if (!this.#isRepeated) addFrame(innermost, frame);
    this.#take(index);
  }

  #readArrow(index: number, said: string): void {
    if (!this.#head) this.#begin(index);
    if (!this.#head) return;
    const member = memberMark.exec(said);
    // The members of an aggregate follow it in full; the first was already read as its inner exception.
    if (member) {
      this.#chain = [this.#head];
      this.#isRepeated = false;
    }
    if (!this.#isRepeated)
      this.#push(member ? said.slice(member[0].length) : said, index, member ? "aggregated" : "cause");
    this.#take(index);
  }

  /** The name is above the first frame or arrow, possibly with a multiline message. */
  #begin(index: number): void {
    const below: string[] = [];
    for (let at = index - 1; at > Math.max(this.#consumed, index - headerLinesMax); at--) {
      const text = this.#stretch.text(at).trim().slice(0, 8_000);
      if (text === "") break;
      const isUnhandled = unhandled.test(text);
      const said = text.replace(unhandled, "").replace(debugged, "$1");
      const [first = "", ...inner] = said.split(` ${arrow}`, innerMax);
      if ((name.test(first) && (first.includes(": ") || first.includes("."))) || nameWithin.test(first)) {
        this.#chain = [];
        this.#isRepeated = false;
        this.#push(first + messageBelow(inner.length > 0 ? [] : below), at, "cause");
        this.#head = this.#chain[0] ?? null;
        if (this.#head) this.#head.fatal = isUnhandled;
        for (const one of inner) this.#push(one, at, "cause");
        this.#stretch.take(at, index - 1);
        return;
      }
      below.unshift(text);
    }
  }

  #push(said: string, index: number, relation: "cause" | "aggregated"): void {
    if (this.drafts.length >= draftsMax) return;
    const found = name.exec(said) ?? nameWithin.exec(said.split("\n", 1)[0] ?? "");
    const type = found?.[1] ?? "Exception";
    const message = (found ? (found[2] ?? "") : said).replace(/<---$/, "").trim();
    const parent = this.#chain.at(-1);
    const repeated = this.drafts.find(
      (draft) =>
        relation === "aggregated" && draft.parent === parent && draft.type === type && draft.message === message,
    );
    if (repeated && parent) {
      // It was read as the aggregate's inner exception and turns out to be its first member.
      repeated.relation = "aggregated";
      this.#isRepeated = true;
      return;
    }
    const draft = newDraft(type, message, this.#stretch.span(index), { language: "dotnet" });
    const isMember = parent?.type.endsWith("AggregateException") === true;
    if (parent) attach(draft, parent, isMember ? "aggregated" : relation);
    this.drafts.push(draft);
    this.#chain.push(draft);
  }

  #take(index: number): void {
    for (const draft of this.#head ? [this.#head] : []) extend(draft, this.#stretch.span(index));
    this.#stretch.take(index);
    this.#consumed = index;
  }
}

/** Returns what is below a name: more of its message, or the message among other fields. */
function messageBelow(lines: readonly string[]): string {
  const field = lines.find((line) => line.startsWith(messageField));
  if (field !== undefined) return `: ${field.slice(messageField.length)}`;
  return lines.map((line) => `\n${line}`).join("");
}

const place = /^(.{1,1000}):(?:line|Zeile|ligne|línea|строка|行号|行) (\d{1,9})$/;
const monoPlace = /^\[0x[0-9a-f]{1,8}\] in (.{1,1000}):(\d{1,9})$/;

/** `at Shop.Orders.Total(Order order) in /src/Orders.cs:line 12`. Null for any other line. */
export function parseDotnetFrame(trimmed: string, printed: Span | null): ParsedFrame | null {
  if (!trimmed.startsWith("at ")) return null;
  const open = trimmed.indexOf("(");
  const close = open < 0 ? -1 : closingOf(trimmed, open);
  if (close < 0) return null;
  const call = trimmed.slice(3, open).trimEnd();
  const after = trimmed.slice(close + 1).trim();
  const found = after.startsWith("in ") ? place.exec(after.slice(3)) : monoPlace.exec(after);
  if (!found && (after !== "" || trimmed[open - 1] === " ")) return null;
  if (!isQualified(call) || (!found && !isParameters(trimmed.slice(open + 1, close)))) return null;
  const file = found?.[1] === undefined ? null : normalizePath(found[1]);
  return {
    function: call,
    file,
    line: found ? Number(found[2]) || null : null,
    column: null,
    origin: frameOrigin(file, "dotnet", call),
    async: call.includes(">d__") || call.endsWith(".MoveNext"),
    printed,
    context: null,
  };
}

function closingOf(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === "(") depth++;
    else if (text[at] === ")" && --depth === 0) return at;
  }
  return -1;
}

function isQualified(call: string): boolean {
  return call.includes(".") && /^[\w.`<>$+|[\],&*@-]{3,600}$/.test(call.replaceAll(", ", ","));
}

/**
 * Returns whether the text is a parameter list such as `String path, Int32& count`, or empty, rather than a place,
 * which other languages print there.
 */
function isParameters(inner: string): boolean {
  return (
    inner === "" ||
    (/^[\w.`<>[\]&*+]{1,200}(?:\[[^\]]{0,200}\])? ?[\w@]{0,100}(?:, |$)/.test(inner) && !/:\d/.test(inner))
  );
}
