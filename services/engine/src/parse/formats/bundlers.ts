import type { ParsedFrame } from "../../findings/parsed-error.ts";
import { uncoded } from "../../findings/uncoded.ts";
import { languageOfFile } from "../../source/languages/languages.ts";
import { call } from "../call-line.ts";
import { addFrame, type Draft, newDraft } from "../draft.ts";
import { placeInProject } from "../printed-place.ts";
import { type Found, readEach, type Stretch, type TextFormat } from "../stretch.ts";
import { parseFrame } from "./node-frame.ts";

type Groups = Readonly<Record<string, string | undefined>>;

/** The first line of what a bundler says about a file. Groups: `file`, `line`, `column`, `message`. */
interface Opening {
  readonly pattern: RegExp;
  /** Whether only the code below it, or a message that a bundler writes, tells it from any other line. */
  readonly needsProof?: boolean;
}

const openings: readonly Opening[] = [
  // Webpack and its plugins.
  { pattern: /^ERROR in (?<file>[^\s:(]{1,500}) (?<line>\d{1,9}):(?<column>\d{1,9})(?:-[\d:]{1,20})?$/ },
  { pattern: /^ERROR in (?<file>[^\s:(]{1,500})[:(](?<line>\d{1,9})[:,](?<column>\d{1,9})\)?$/ },
  { pattern: /^ERROR in (?<file>[^\s:(]{1,500})$/, needsProof: true },
  // Next.js and Create React App.
  {
    pattern: /^(?:⨯ )?(?<file>\.\/[^\s:]{1,500}\.\w{1,8})(?::(?<line>\d{1,9}):(?<column>\d{1,9}))?$/,
    needsProof: true,
  },
  // Vite and Rollup.
  { pattern: /^.{0,40}\[vite\] Internal server error: (?<message>\S.{0,2000})$/ },
  { pattern: /^error during build:$/ },
  { pattern: /^\[!\] \(plugin .{1,100}?\) (?<message>\S.{0,2000})$/ },
  { pattern: /^\[!\] (?<message>RollupError: \S.{0,2000})$/ },
  { pattern: /^\[!\] (?<message>Error: \S.{0,2000})$/, needsProof: true },
];
/** What a bundler builds, which a program in another language isn't. */
const builtFile = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|mdx?|s?css|sass|less|styl|x?html?|json5?|graphql|gql|wasm|svg)$/;
const bundlersMessage =
  /^(?:(?:Module not found|Type error): |Module (?:build|parse) failed\b|SyntaxError: (?:[A-Za-z]:)?[^\s:]{1,500}\.\w{1,8}: |Syntax error$|Parsing \w{1,40} source code failed$|Attempted import error: )/i;
/** The place below a message. */
const places: readonly RegExp[] = [
  /^(?:[Ff]ile|Location): (?<file>(?:[A-Za-z]:)?[^\s:]{1,500}):(?<line>\d{1,9}):(?<column>\d{1,9})$/,
  /^File: (?<file>(?:[A-Za-z]:)?[^\s:]{1,500})$/,
  /^(?<file>[^\s:()]{1,500}\.\w{1,8}) \((?<line>\d{1,9}):(?<column>\d{1,9})\)(?:: (?<message>\S.{0,2000}))?$/,
];
const code = /^\s*(?:>\s*)?(?:\d{1,9}\s{0,2}[|│:]|[|│]\s*[\^~]|[\^~]{1,200}\s*$|\d{1,9} {2,8}\S)/;
const aside = /^(?:Plugin: |https?:\/\/\S+$|@ \.\/|This is (?:most likely|probably) )/;
/** Loaders say on a line of their own which of them failed. */
const loader = /^Module build failed \(from .{1,300}\):$/;
/** `SyntaxError: text`, and the name that webpack repeats: `Module not found: Error: text`. */
const named = /^([A-Z][\w$]{0,80}(?:Error|Exception)|TS\d{1,6}): (.*)$/;
const othersHeader =
  /^(?:[A-Z][\w$]{0,80}(?:Error|Exception)|panic|Exception in thread "[^"]{1,200}" [\w.$]{1,300})(?:: |$)/;
const emptyName = /^(Module not found: )?Error: /;
/** Webpack lists below this where it searched. */
const searched = /^resolve '/;
/** Babel's place, in the message. */
const placeInMessage = / \((\d{1,9}):(\d{1,9})\)$/;
const blockLinesMax = 30;
const messageLinesMax = 4;

/** What webpack, Next.js, Vite, and Rollup print where a file of the program can't be built, with its place. */
export const bundlerFormat: TextFormat = {
  name: "bundlers",
  language: "javascript",
  read: (stretch) => readEach(stretch, (index) => readAt(stretch, index)),
};

function readAt(stretch: Stretch, index: number): Found | null {
  const text = stretch.text(index).trim();
  if (!/^(?:ERROR in |⨯ |\.\/|error during|\[!\]|.{0,40}\[vite\] Internal)/.test(text)) return null;
  for (const { pattern, needsProof = false } of openings) {
    const groups = pattern.exec(text)?.groups ?? (pattern.test(text) ? {} : null);
    if (groups && (groups.file === undefined || builtFile.test(groups.file)))
      return readBlock(stretch, index, groups, needsProof);
  }
  return null;
}

class Block {
  readonly said: string[] = [];
  place: Groups = {};
  placeAt: number;
  #saidAt: number;
  readonly frames: Draft["frames"] = [];
  hasCode = false;
  /** Whether the calls of a program in another language are below. */
  isForeign = false;
  #isSearching = false;

  constructor(opening: Groups, index: number) {
    this.placeAt = index;
    this.#saidAt = index;
    if (opening.message !== undefined) this.said.push(opening.message);
    if (opening.file !== undefined) this.place = opening;
  }

  /** Returns whether a line belongs to the block. */
  read(stretch: Stretch, at: number): boolean {
    const text = stretch.text(at);
    const trimmed = text.trim();
    const frame = parseFrame(text, stretch.span(at));
    if (this.#endsAt(trimmed, frame)) return false;
    if (frame) this.frames.push(frame);
    this.#isSearching = (this.#isSearching || searched.test(trimmed)) && trimmed !== "" && !trimmed.startsWith("@ ");
    if (frame || this.#isSearching || trimmed === "" || aside.test(trimmed) || loader.test(trimmed)) return true;
    if (code.test(text)) {
      this.hasCode = true;
      return true;
    }
    const groups = this.frames.length > 0 ? undefined : placeIn(trimmed);
    if (groups) {
      if (this.place.line === undefined) [this.place, this.placeAt] = [groups, at];
      if (groups.message !== undefined) this.said.push(groups.message);
      return true;
    }
    // The parser's own words are below the code.
    const isDetail = this.hasCode && this.said.length === 1 && /failed$/.test(this.said[0] ?? "");
    if (this.frames.length > 0 || (this.hasCode && !isDetail)) return this.#repeats(trimmed);
    if (this.said.length >= messageLinesMax || (this.said.length > 0 && stretch.text(at - 1) === "" && !isDetail))
      return false;
    if (this.said.length === 0) this.#saidAt = at;
    this.said.push(trimmed);
    return true;
  }

  /** Reads the place at the end of a message of Babel's. */
  readPlaceInMessage(): void {
    const [, line, column] = placeInMessage.exec(this.said[0] ?? "") ?? [];
    if (line === undefined || this.place.line !== undefined) return;
    this.place = { ...this.place, line, column };
    this.placeAt = this.#saidAt;
  }

  /** Returns whether what is printed by a program, rather than by a bundler, begins at a line. */
  #endsAt(text: string, frame: ParsedFrame | null): boolean {
    if (/^(?:Traceback \(most recent|goroutine \d)/.test(text)) return true;
    const language = frame?.file == null ? null : languageOfFile(frame.file);
    this.isForeign = language === null ? !frame && call.test(text.replace(/^at /, "")) : language !== "javascript";
    if (this.isForeign) return true;
    return this.said.length > 0 && othersHeader.test(text) && text !== this.said[0];
  }

  #repeats(text: string): boolean {
    return this.frames.length === 0 && text === this.said[0];
  }
}

function placeIn(text: string): Groups | undefined {
  return places.map((place) => place.exec(text)?.groups).find((groups) => groups !== undefined);
}

function readBlock(stretch: Stretch, index: number, opening: Groups, needsProof: boolean): Found | null {
  const block = new Block(opening, index);
  let last = index;
  for (let at = index + 1; at < Math.min(index + blockLinesMax, stretch.length); at++) {
    if (!block.read(stretch, at)) break;
    if (stretch.text(at).trim() !== "") last = at;
  }
  const [first = "", ...more] = block.said;
  const isProved = bundlersMessage.test(first) || (block.place.line !== undefined && block.hasCode);
  // The last line above the calls names their error.
  const isAbove = last > index && stretch.text(last + 1).trim() !== "";
  if (block.isForeign && !block.hasCode && isAbove) return null;
  if (first === "" || (needsProof && !isProved)) return null;
  const [, type = uncoded, message = first.replace(emptyName, "$1")] = named.exec(first) ?? [];
  const draft = newDraft(type, [message, ...more].join("\n"), stretch.span(index, last), { language: "javascript" });
  block.readPlaceInMessage();
  const place = block.place.file === undefined ? null : placeInProject(block.place, stretch.span(block.placeAt));
  for (const frame of place ? [place, ...block.frames] : block.frames) addFrame(draft, frame);
  stretch.take(index, last);
  return { drafts: [draft], next: last + 1 };
}
