import type { ParsedFrame } from "../findings/parsed-error.ts";
import type { Language } from "../source/languages/languages.ts";
import type { Span } from "../source/source-text.ts";
import { frameOrigin } from "./frame-origin.ts";
import { normalizePath } from "./paths.ts";

/** A place in code, in the words of who printed it. */
export interface PrintedPlace {
  readonly function?: string | undefined;
  readonly file?: string | undefined;
  readonly line?: string | undefined;
  readonly column?: string | undefined;
}

/** Returns a call whose file tells whose code it is. */
export function callAt(place: PrintedPlace, printed: Span, language: Language | null = null): ParsedFrame {
  const call = placeInProject(place, printed);
  return { ...call, origin: frameOrigin(call.file, language) };
}

/** Returns a place that a tool names in the code it was given, as a call. */
export function placeInProject({ file = "", line, column, function: name }: PrintedPlace, printed: Span): ParsedFrame {
  return {
    function: name || null,
    file: normalizePath(file),
    line: Number(line) || null,
    column: Number(column) || null,
    origin: "app",
    async: false,
    printed,
    context: null,
  };
}
