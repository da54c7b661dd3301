import type { FrameOrigin, ParsedFrame } from "../../findings.ts";
import type { Span } from "../../source-text.ts";

interface Place {
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
}

/** A frame as V8 prints it (`at fn (file:1:2)`), without its place in the log; null for any other line. */
export function parseFrame(line: string, printed: Span | null): ParsedFrame | null {
  const text = line.trim();
  if (!text.startsWith("at ")) return null;
  const isAsync = text.startsWith("at async ");
  const call = withoutBrace(text.slice(isAsync ? 9 : 3));
  const open = call.endsWith(")") ? openingOf(call) : -1;
  const place = placeOf(open < 0 ? call : call.slice(open + 2, -1));
  if (!place) return null;
  const name = open < 0 ? null : functionName(call.slice(0, open));
  return { function: name, ...place, origin: originOf(place.file), async: isAsync, printed, context: null };
}

/** Whether properties of the error follow the frame: `at fn (file:1:2) {`. */
export function opensProperties(line: string): boolean {
  return line.endsWith(" {");
}

/** Whose code a file is, by where it lies. */
export function originOf(file: string | null): FrameOrigin {
  if (file === null || file.startsWith("node:") || file.startsWith("internal/")) return "runtime";
  return `/${file}`.includes("/node_modules/") ? "dependency" : "app";
}

/** A path with `/` between its folders and without `file://`, a bundler's scheme or a query. */
export function normalizePath(path: string): string {
  const slashed = path.includes("\\") ? path.replaceAll("\\", "/") : path;
  const local = slashed.startsWith("file://") ? decodePath(slashed.slice("file://".length)) : slashed;
  const bundled = local.startsWith("webpack://") ? local.slice(local.indexOf("/", "webpack://".length) + 1) : local;
  const query = bundled.indexOf("?");
  return (query < 0 ? bundled : bundled.slice(0, query)).replace(/^(?:\.\/|\/(?=[A-Za-z]:\/))/, "");
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A stray `%` in a folder's name: the path stands as it is.
    return path;
  }
}

function withoutBrace(call: string): string {
  if (call.endsWith(" {")) return call.slice(0, -2);
  return call.endsWith(",") ? call.slice(0, -1) : call;
}

/** Of the parenthesis that holds the place. A function's own name holds none, except after `eval at`. */
function openingOf(call: string): number {
  return call.indexOf(" (");
}

function functionName(text: string): string | null {
  const alias = text.indexOf(" [as ");
  const name = (alias < 0 ? text : text.slice(0, alias)).trim();
  return name === "" || name === "<anonymous>" ? null : name;
}

/** `file:1:2`, `file:1`, `<anonymous>`, `native`, `index 0` (of Promise.all), `eval at f (file:1:2), <anonymous>:1:1`. */
function placeOf(text: string): Place | null {
  if (text === "<anonymous>" || text === "native" || /^index \d{1,9}$/.test(text)) {
    return { file: null, line: null, column: null };
  }
  if (text.startsWith("eval at ")) return placeOfEval(text);
  const last = trailingNumber(text);
  if (!last) return null;
  const first = trailingNumber(last.rest);
  const { rest, line, column } = first
    ? { rest: first.rest, line: first.value, column: last.value }
    : { rest: last.rest, line: last.value, column: null };
  if (rest === "" || line === 0) return null;
  return { file: rest === "<anonymous>" ? null : normalizePath(rest), line, column };
}

/** Where the text was evaluated: the place that somebody can open. */
function placeOfEval(text: string): Place {
  const open = text.indexOf(" (");
  const close = text.indexOf(")", open);
  return (open > 0 && close > open ? placeOf(text.slice(open + 2, close)) : null) ?? nowhere;
}

const nowhere: Place = { file: null, line: null, column: null };

function trailingNumber(text: string): { rest: string; value: number } | null {
  const colon = text.lastIndexOf(":");
  const digits = text.slice(colon + 1);
  if (colon < 0 || !/^\d{1,9}$/.test(digits)) return null;
  return { rest: text.slice(0, colon), value: Number(digits) };
}
