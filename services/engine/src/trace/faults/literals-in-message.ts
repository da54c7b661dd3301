import type { ParsedError } from "../../findings/parsed-error.ts";
import { isInstalledName } from "../../source/installed-package.ts";
import type { SourceText } from "../../source/source-text.ts";
import { isMasked } from "../code/text-forms.ts";
import type { Trail } from "../follow/trail.ts";

/** Shorter values identify nothing. */
const tellingUnitsMin = 4;
const valuesMax = 12;
const properties = ["port", "path", "hostname", "host", "address", "input", "specifier"];

/**
 * Adds the places in the given files that contain a value from the error: the port that refused, the host that doesn't
 * resolve, the path that is missing. Configuration is often the cause and never on the stack.
 */
export function findLiteralsInMessage(error: ParsedError, files: readonly SourceText[], trail: Trail): void {
  const own = files.filter(({ name }) => !isInstalledName(name));
  const data = own.filter(({ name }) => dataEndings.test(name));
  for (const value of valuesOf(error)) noteSpelling(value, own, trail);
  for (const value of shortValuesOf(error)) noteSpelling(value, data, trail);
}

/** Files that contain a short value on its own, rather than as part of something else. */
const dataEndings = /(?:\.(?:json|ya?ml|toml|properties|ini|conf|cfg)|(?:^|\/)\.env[\w.]*)$/;

function noteSpelling(value: string, files: readonly SourceText[], trail: Trail): void {
  if (isMasked(value)) return;
  for (const source of files) {
    const position = wholeWord(source.text, value);
    if (position < 0) continue;
    const place = { kind: "place" as const, file: source.name, line: source.lineAt(position), function: null, source };
    const isLiteral = dataEndings.test(source.name) || isQuoted(source.line(place.line), value);
    trail.add({ kind: "literal-in-message", args: { value, isLiteral } }, place, null, 1);
  }
}

/** Returns whether a line has a value in quotes, or as a number. */
function isQuoted(line: string, value: string): boolean {
  return /^\d/.test(value) || textsIn(line).some((text) => text.includes(value));
}

/** Returns the texts in quotes, in time linear in the length of the line. */
function textsIn(line: string): string[] {
  const texts: string[] = [];
  // Where a quote isn't closed, neither is a later one of its kind: between them, every other one is escaped.
  const unclosed = new Set<string>();
  for (let at = 0; at < line.length; at++) {
    const quote = line.charAt(at);
    if (!/["'`]/.test(quote) || unclosed.has(quote)) continue;
    const end = endOfText(line, at);
    if (end < 0) unclosed.add(quote);
    else {
      texts.push(line.slice(at, end + 1));
      at = end;
    }
  }
  return texts;
}

/** Returns the position of the quote that closes the one at `start`; -1 without one. */
function endOfText(line: string, start: number): number {
  for (let at = start + 1; at < line.length; at++) {
    if (line[at] === "\\") at++;
    else if (line[at] === line[start]) return at;
  }
  return -1;
}

/** Returns where a value occurs that isn't part of a longer word or number. */
function wholeWord(text: string, value: string): number {
  const isWord = (unit: string | undefined): boolean => unit !== undefined && /[\w]/.test(unit);
  for (
    let at = text.indexOf(value), tries = 0;
    at >= 0 && tries < triesMax;
    at = text.indexOf(value, at + 1), tries++
  ) {
    const isCut = isWord(text[at - 1]) && isWord(value[0]);
    if (!isCut && !(isWord(text[at + value.length]) && isWord(value.at(-1)))) return at;
  }
  return -1;
}

const triesMax = 50;
const shortUnitsMin = 2;
const shortPatterns = [
  /'([^'\n]{2,120})'|"([^"\n]{2,120})"/g,
  /(?:^|\s)()(\d{2,9})(?=\s?(?:ms|s|seconds?|minutes?|bytes|MB|kB)\b)/g,
];

/**
 * Returns values that are too short to identify a place in code: quoted pieces, numbers with a unit, the last part of a
 * path.
 */
function shortValuesOf(error: ParsedError): string[] {
  const values = new Set<string>();
  for (const index of error.chain) {
    const exception = error.exceptions[index];
    if (!exception) continue;
    const { path, address } = exception.properties;
    for (const one of [path, address]) if (typeof one === "string") values.add(one.split("/").at(-1) ?? "");
    if (runtimeTypes.has(exception.type.split(".").at(-1) ?? "")) continue;
    const message = exception.message.slice(0, messageUnitsMax);
    for (const pattern of shortPatterns)
      for (const match of message.matchAll(pattern)) values.add(match[1] || match[2] || "");
  }
  return [...values].filter((value) => value.length >= shortUnitsMin && !commonplace.has(value)).slice(0, valuesMax);
}

const messageUnitsMax = 2000;

function valuesOf(error: ParsedError): string[] {
  const values = new Set<string>();
  for (const index of error.chain) {
    const exception = error.exceptions[index];
    if (!exception) continue;
    for (const name of properties) {
      const value = exception.properties[name];
      if (value !== undefined && value !== null) values.add(String(value));
    }
    // What the runtime itself quotes is the name of a property, or a piece of the text that it couldn't read.
    if (runtimeTypes.has(exception.type.split(".").at(-1) ?? "")) continue;
    for (const quoted of exception.message.match(/'[^'\n]{4,120}'|"[^"\n]{4,120}"/g) ?? [])
      values.add(quoted.slice(1, -1));
  }
  return [...values].filter((value) => value.length >= tellingUnitsMin && !commonplace.has(value)).slice(0, valuesMax);
}

const runtimeTypes: ReadonlySet<string> = new Set(
  "TypeError ReferenceError RangeError SyntaxError AttributeError KeyError IndexError NameError UnboundLocalError NoMethodError FrozenError NullPointerException ClassCastException UnicodeDecodeError UnicodeEncodeError".split(
    " ",
  ),
);
const commonplace: ReadonlySet<string> = new Set([
  "undefined",
  "null",
  "127.0.0.1",
  "localhost",
  "true",
  "false",
  "Object",
  "string",
  "number",
]);
