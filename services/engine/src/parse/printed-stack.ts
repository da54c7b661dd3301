import type { ParsedFrame } from "../findings/parsed-error.ts";
import { type Language, languageOfRuntime } from "../source/languages/languages.ts";
import type { SourceText } from "../source/source-text.ts";
import { withCountablePlace } from "./countable-place.ts";
import type { Draft } from "./draft.ts";
import { readFormats, textFormats } from "./formats.ts";
import { readableLines } from "./lines.ts";
import type { ReadableLine } from "./readable-line.ts";
import { Stretch } from "./stretch.ts";

/** The stack of an error that an event reports, as its runtime printed it. */
export interface PrintedStack {
  /** Null when neither the runtime nor the text shows it. */
  readonly language: Language | null;
  /** Innermost first. */
  readonly frames: readonly ParsedFrame[];
}

/**
 * Reads the stack that a runtime printed, in the format of its language. The stack of an unknown runtime is recognized
 * by its text.
 */
export function readStack(source: SourceText, type: string, runtime: string | null): PrintedStack {
  const lines = readableLines(source);
  const language = (runtime === null ? null : languageOfRuntime(runtime)) ?? recognized(lines);
  if (language === null) return { language, frames: [] };
  return { language, frames: framesIn(lines, type, language).map(withCountablePlace) };
}

function recognized(lines: readonly ReadableLine[]): Language | null {
  const { drafts } = readFormats(lines);
  return drafts.find(({ frames }) => frames.length > 0)?.language ?? null;
}

function framesIn(lines: readonly ReadableLine[], type: string, language: Language): readonly ParsedFrame[] {
  const formats = textFormats.filter((format) => format.language === language);
  const calls = formats.flatMap(({ readCall }) => (readCall ? lines.flatMap((line) => readCall(line) ?? []) : []));
  if (calls.length > 0) return calls;
  const stretch = new Stretch(lines);
  const drafts = formats.flatMap((format) => format.read(stretch));
  return drafts.length === 0 ? [] : ownOf(drafts, type).frames;
}

/**
 * A runtime may print an error's causes with it; the error's own stack is the one of its type, or else the outermost.
 */
function ownOf(drafts: readonly Draft[], type: string): Draft | { readonly frames: readonly ParsedFrame[] } {
  const heads = drafts.filter(({ parent }) => parent === null);
  return (
    [...heads, ...drafts].find((draft) => lastName(draft.type) === lastName(type)) ?? heads.at(-1) ?? { frames: [] }
  );
}

/** Returns `Declined` for `app.errors.Declined`, which some runtimes print in full. */
function lastName(type: string): string {
  return type.split(/[.:\\]/).at(-1) ?? type;
}
