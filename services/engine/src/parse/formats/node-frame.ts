import type { FrameOrigin, ParsedFrame } from "../../findings/parsed-error.ts";
import type { Span } from "../../source/source-text.ts";
import { frameOrigin } from "../frame-origin.ts";
import { normalizePath } from "../paths.ts";

interface Place {
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly origin: FrameOrigin;
}

/**
 * Parses a frame as V8, Bun, and Deno print it (`at fn (file:1:2)`), without its position in the log; null for any
 * other line.
 */
export function parseFrame(line: string, printed: Span | null): ParsedFrame | null {
  const text = line.trim();
  if (!text.startsWith("at ")) return null;
  const isAsync = text.startsWith("at async ");
  const call = withSpacing(withoutEnding(text.slice(isAsync ? 9 : 3)));
  const open = call.endsWith(")") ? openingOf(call) : -1;
  const printedPlace = open < 0 ? call : call.slice(open + 2, -1);
  const place = placeOf(printedPlace) ?? (open < 0 ? null : fileAlone(printedPlace));
  if (!place) return null;
  const name = open < 0 ? null : functionName(call.slice(0, open));
  return { function: name, ...place, async: isAsync, printed, context: null };
}

/** `total @ https://shop.example/a.js:1:2`, as Datadog prints a call. */
const atSign = /^(\S.{0,300}?) @ ([^\s@]{1,4000}:\d{1,9}(?::\d{1,9})?)$/;
/** `total(./src/a.js:1:2)`, as Sentry prints a call. */
const unspaced = /^([^\s()]{1,300})\(([^\s()]{1,4000}:\d{1,9}:\d{1,9})\)$/;

/** Returns a call as V8 prints it. */
function withSpacing(call: string): string {
  const [, name, place] = atSign.exec(call) ?? unspaced.exec(call) ?? [];
  return name === undefined || place === undefined ? call : `${name} (${place})`;
}

/** What a place begins with, so that neither a function's name nor a folder's is taken for it. */
const opening = / \((?=eval at |[a-z][\w+.-]{1,20}:|\/|[A-Za-z]:[\\/]|<)/;

function openingOf(call: string): number {
  const found = call.search(opening);
  return found < 0 ? call.indexOf(" (") : found;
}

/** Returns the original place that source-map-support prints below a frame: `-> /srv/src/a.ts:3:4`. */
export function mappedPlace(line: string): Place | null {
  const text = line.trim();
  return text.startsWith("-> ") ? placeOf(text.slice(3)) : null;
}

/** Returns whether properties of the error follow the frame: `at fn (file:1:2) {`. */
export function opensProperties(line: string): boolean {
  return line.endsWith(" {");
}

function withoutEnding(call: string): string {
  if (call.endsWith(" {")) return call.slice(0, -2);
  // The quotation mark of a value that ends with its stack.
  return call.endsWith(",") || call.endsWith('"') ? call.slice(0, -1) : call;
}

function functionName(text: string): string | null {
  const alias = text.indexOf(" [as ");
  const name = (alias < 0 ? text : text.slice(0, alias)).trim();
  return name === "" || name === "?" || name === "<anonymous>" ? null : name;
}

/**
 * `file:1:2`, `file:1`, `<anonymous>`, `native`, `index 0` (of Promise.all), `eval at f (file:1:2), <anonymous>:1:1`,
 * `wasm://wasm/0145fffe:wasm-function[0]:0x1e`, `dist/a.js:1:2 -> src/a.ts:3:4`.
 */
function placeOf(text: string): Place | null {
  if (text === "<anonymous>" || text === "native" || text === "unknown" || /^index \d{1,9}$/.test(text)) return nowhere;
  if (text.startsWith("eval at ")) return placeOfEval(text);
  if (text.startsWith("wasm://")) return placeIn(text.split(":wasm-function", 1)[0] ?? null);
  const arrow = text.lastIndexOf(" -> ");
  const last = trailingNumber(arrow < 0 ? text : text.slice(arrow + 4));
  if (!last) return null;
  const first = trailingNumber(last.rest);
  const { rest, line, column } = first
    ? { rest: first.rest, line: first.value, column: last.value }
    : { rest: last.rest, line: last.value, column: null };
  if (rest === "" || line === 0) return null;
  return placeIn(rest === "<anonymous>" || rest === "native" ? null : rest, line, column);
}

function placeIn(printed: string | null, line: number | null = null, column: number | null = null): Place {
  const file = printed === null ? null : normalizePath(printed);
  return { file, line, column, origin: frameOrigin(file, null, null, printed) };
}

/** A compiled program has no lines to print, only the file: `at write (/snapshot/shop/cart.js)`. */
function fileAlone(text: string): Place | null {
  const isFile = /^(?:\/|[A-Za-z]:[\\/]|file:\/\/)[^:]{1,1000}\.[cm]?[jt]sx?$/.test(text);
  return isFile ? placeIn(text) : null;
}

/** Returns where the text was evaluated, which is in a file that exists. */
function placeOfEval(text: string): Place {
  const open = text.indexOf(" (");
  const close = text.indexOf(")", open);
  return (open > 0 && close > open ? placeOf(text.slice(open + 2, close)) : null) ?? nowhere;
}

const nowhere: Place = { file: null, line: null, column: null, origin: frameOrigin(null) };

function trailingNumber(text: string): { rest: string; value: number } | null {
  const colon = text.lastIndexOf(":");
  const digits = text.slice(colon + 1);
  if (colon < 0 || !/^\d{1,9}$/.test(digits)) return null;
  return { rest: text.slice(0, colon), value: Number(digits) };
}
