import { codeOf } from "./code-lines.ts";

/** A key of an object, record, or message as code writes it, and the code of its value. */
export interface NamedKey {
  readonly name: string;
  /** As written; the name itself for shorthand. Empty when the value starts on another line. */
  readonly value: string;
}

const word = "[A-Za-z_$][\\w$]{0,60}";
/** `"amount": x`, `'amount' => x`, `amount: x`, `["amount"] = x`, `.amount = x`, `json:"amount"`, `put("amount", x)`. */
const written: readonly RegExp[] = [
  new RegExp(`["'\`](${word})["'\`]\\]?\\s*(?::|=>|=(?![=>]))\\s*(.*)`, "g"),
  new RegExp(`(?<![\\w$.?"'\`@])(${word})\\??\\s*:(?![:=])\\s*(.*)`, "g"),
  new RegExp(`\\.(${word})\\s*=(?![=>])\\s*(.*)`, "g"),
  new RegExp(`\\b(?:json|bson|db|yaml|xml):\\s*"(${word})[",](.*)`, "g"),
  new RegExp(
    `\\b(?:put|set|add|append|JsonProperty|SerializedName|field|column)\\(\\s*["'](${word})["']\\s*,?\\s*(.*)`,
    "g",
  ),
  // Keyword arguments: `Payment(amount=amount)`.
  new RegExp(`[(,]\\s*(${word})=(?![=>])\\s*(.*)`, "g"),
];
const notKeys: ReadonlySet<string> = new Set(["case", "default", "return", "else", "public", "private", "protected"]);

/**
 * Returns the keys that lines of code assign a value, in reading order. Parameters and destructured names aren't
 * assigned one.
 */
export function keysIn(lines: readonly string[]): NamedKey[] {
  const found: NamedKey[] = [];
  for (const line of lines) {
    const code = withoutParameters(codeOf(line));
    for (const pattern of written) {
      for (const { 1: name = "", 2: rest = "" } of overlapping(code, pattern)) {
        if (!notKeys.has(name)) found.push({ name, value: valueIn(rest) });
      }
    }
    found.push(...shorthandIn(code), ...fieldsIn(code));
  }
  return found;
}

/** Removes the parameters of definitions, which assign nothing. */
function withoutParameters(code: string): string {
  return code
    .replace(/\b(function\*?|def|func|fn)\b([^(]*)\([^()]*\)/g, "$1$2()")
    .replace(
      /^((?:async |static |public |private |protected |override )*[\w$]+)\([^()]*\)(?=\s*(?::[^{]+)?\{$)/,
      "$1()",
    )
    .replace(/\([^()]*\)(?=\s*(?::[^=]+)?=>)/g, "()");
}

/** Fields that a class or record declares; serializers take message keys from them. */
function fieldsIn(code: string): NamedKey[] {
  const field = new RegExp(
    `^(?:private|public|protected)\\s+(?:final\\s+)?[\\w<>\\[\\], ?]+\\s(${word})\\s*[;={]`,
  ).exec(code)?.[1];
  const record = /\brecord\s+\w+\s*\((.*)\)/.exec(code)?.[1]?.split(",") ?? [];
  const names = [field, ...record.map((part) => /(\w+)\s*$/.exec(part)?.[1])];
  return names.flatMap((name) => (name === undefined ? [] : [{ name, value: "" }]));
}

/** Yields every match of a pattern, including matches that start within another. */
function* overlapping(text: string, pattern: RegExp): Generator<RegExpExecArray> {
  const own = new RegExp(pattern.source, "g");
  for (let match = own.exec(text); match; match = own.exec(text)) {
    yield match;
    own.lastIndex = match.index + Math.max(1, match[0].length - (match[2] ?? "").length);
  }
}

/** Returns the start of a text, up to the comma or bracket that ends an expression. */
function valueIn(text: string): string {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if ("([{".includes(char)) depth++;
    else if (")]}".includes(char) && --depth < 0) return text.slice(0, at).trim();
    else if ((char === "," || char === ";") && depth === 0) return text.slice(0, at).trim();
  }
  return text.trim();
}

/**
 * Shorthand keys: `amount` in `{ id, amount }`, or alone on its line; not in `const { amount } = body` or `({ amount }:
 * Payment)`.
 */
function shorthandIn(code: string): NamedKey[] {
  const alone = new RegExp(`^(${word}),$`).exec(code)?.[1];
  if (alone !== undefined) return [{ name: alone, value: alone }];
  const found: NamedKey[] = [];
  const open: number[] = [];
  for (let at = 0; at < code.length; at++) {
    const char = code.charAt(at);
    if (char === "{") open.push(at);
    if (char !== "}") continue;
    const start = open.pop();
    if (start === undefined || isTakenApart(code.slice(at + 1))) continue;
    for (const part of topLevelParts(code.slice(start + 1, at))) {
      if (new RegExp(`^${word}$`).test(part)) found.push({ name: part, value: part });
    }
  }
  return found;
}

function isTakenApart(rest: string): boolean {
  return /^\s*(?:=(?![=>])|:|\)\s*(?:=>|\{|:)|,[^()]*\)\s*(?:=>|\{|:)|from\b|of\b|in\b)/.test(rest);
}

function topLevelParts(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest !== "") {
    const part = valueIn(rest);
    parts.push(part);
    const end = rest.indexOf(part) + part.length;
    rest = rest.slice(end + 1);
  }
  return parts;
}

/** Returns the functions and methods that lines of code define, and the names that they export. */
export function definitionsIn(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const code = codeOf(line);
    return definitions.flatMap((pattern) => [...code.matchAll(pattern)].flatMap(({ 1: name }) => name ?? []));
  });
}

const definitions: readonly RegExp[] = [
  new RegExp(`\\b(?:function\\*?|def|func|fn|class)\\s+(?:\\([^)]*\\)\\s*)?(?:self\\.)?(${word})`, "g"),
  new RegExp(`\\bexport\\s+(?:const|let|var)\\s+(${word})`, "g"),
  new RegExp(`\\bexports\\.(${word})\\s*=`, "g"),
  new RegExp(
    `^(?:(?:async|static|public|private|protected|override)\\s+)*(${word})\\([^()]*\\)\\s*(?::[^{]+)?\\{$`,
    "g",
  ),
];
