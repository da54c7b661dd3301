import { credentialHeaders, redactedNames } from "@whence/protocol";
import type { Span } from "./span.ts";

/** Names that say "credential" at the end of a longer one, too: `db_password`, `stripeApiKey`. */
const nameEndings = ["password", "passwd", "passphrase", "pwd", "secret", "token", "api_key", "api-key", "apikey"];
const moreEndings = ["access_key", "access-key", "accesskey", "private_key", "privatekey", "secret_key", "secretkey"];

/** Names whose value is often an ordinary word in code, so that only a value that looks random is taken. */
const weakName = /(?:token|auth|session|csrf|cookie|authentication)$/i;
const cookieName = /cookie$/i;
const headerOfScheme = /authorization$|^authentication$|^x-auth$/i;

/** Where a value starts: a name, perhaps in quotes, and what assigns it. Escaped quotes are those of JSON in JSON. */
const namedValue = new RegExp(
  String.raw`(?<![\w$]|[\w$]-)(?<name>(?:[A-Za-z_$][\w.$-]{0,60}?)?(?:${[...nameEndings, ...moreEndings].join("|")})|${[
    ...redactedNames,
    ...credentialHeaders,
  ].join(
    "|",
  )})(?![\w$-])(?<assigned>(?:\\{0,3}["']\]?(?:[ \t]{0,4}=>?(?!=)|:)|[ \t]{0,4}(?:=>|:|=(?!=)))[ \t]{0,4}|%3D)`,
  "gi",
);

/** What a parser says about a token that is no credential. */
const complaint = /(?:unexpected|invalid|illegal)[ \t]$/i;

/** What assigns a value in a query of a URL, where no value is an expression of a program. */
const queryAssigned = "?=";

/** What starts after the name: a scheme of HTTP, then a value in quotes or without. */
const scheme = /(?:Basic|Bearer|Digest|Token|ApiKey|Negotiate|DPoP|AWS4-HMAC-SHA256)[ \t]{1,4}/iy;
const openingQuote = /\\{0,3}["'`]/y;
const bareValue = /[^\s"'`,;&<>(){}[\]\\|]{1,4096}/y;
const cookies = /[^\r\n"'`\\]{1,8192}/y;
/** The longest value in quotes, in UTF-16 code units: browsers keep no longer cookie than half of this. */
const valueLengthMax = 8192;

/** A credential of HTTP that no name precedes: `curl -H Bearer …`, "sent Bearer …". */
const bareScheme = /(?<=\b(?:Bearer|Basic)[ \t])(?=[\w+/.=~-]{0,4096}\d)[\w+/.=~-]{12,4096}/g;

/** Names of types and states, which stand in the place of a value. */
const noValue = [
  "true",
  "false",
  "null",
  "undefined",
  "none",
  "nil",
  "self",
  "this",
  "optional",
  "required",
  "string",
  "str",
  "number",
  "boolean",
  "bool",
  "int",
  "any",
  "unknown",
  "bytes",
  "text",
  "redacted",
  "missing",
  "invalid",
  "expired",
  "empty",
].join("|");
/** Values that stand for another: a word, a version, a path, a template, a variable, or a mask. */
const reference = new RegExp(
  String.raw`^(?:(?:${noValue})\??|[~^]?\d+\.\d+\.\d+|\/[a-z/-]+|\*+|x{3,}|\.{3}.*|\$(?:\{.*|\(.*|[a-z_]\w*)|%(?:[sdvqr]|\(.*|\w+%)|<[^<>]*>?|[{[].*)$`,
  "i",
);
const uppercaseName = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
/** An expression of a program: `config.password`, `getToken`, `req.headers`. */
const identifierPath = /^@{0,2}[A-Za-z_$][\w$]*(?:(?:\?\.|\.|::|->)#?[A-Za-z_$][\w$]*)*[!?]?$/;
const looksRandom = /\d|[^\w$.-]|^.{24,}$/;

/** Returns the values that follow a name of a credential, in a header, a URL, a setting, an object, or a log line. */
export function namedValues(text: string): Span[] {
  const found: Span[] = [];
  const pattern = new RegExp(namedValue);
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const { name = "", assigned = "" } = match.groups ?? {};
    if (complaint.test(text.slice(Math.max(0, match.index - 12), match.index))) continue;
    const inQuery = /[?&]/.test(text.charAt(match.index - 1));
    const span = valueAfter(text, pattern.lastIndex, name, inQuery ? queryAssigned : assigned);
    if (!span) continue;
    found.push(span);
    pattern.lastIndex = span.end;
  }
  for (const { 0: value, index } of text.matchAll(bareScheme))
    found.push({ kind: "secret", start: index, end: index + value.length });
  return found;
}

function valueAfter(text: string, from: number, name: string, assigned: string): Span | null {
  const kind = kindOf(name);
  const quote = at(openingQuote, text, from);
  let start = from + quote.length;
  if (headerOfScheme.test(name)) start += at(scheme, text, start).length;
  const end = quote ? quotedEnd(text, start, quote) : start + bareLength(text, start, name, assigned);
  const value = text.slice(start, end);
  return isCredential(value, name, quote !== "", text.charAt(end), assigned) ? { kind, start, end } : null;
}

function kindOf(name: string): string {
  if (/passw|pwd|passphrase/i.test(name)) return "password";
  if (/ssn$/i.test(name)) return "social security number";
  if (/credit_card$/i.test(name)) return "card";
  return cookieName.test(name) ? "cookie" : "secret";
}

/** The match of a sticky pattern at a place, or nothing. */
function at(pattern: RegExp, text: string, index: number): string {
  pattern.lastIndex = index;
  return pattern.exec(text)?.[0] ?? "";
}

/** Where a value in quotes ends: at the same quote in the line. Returns the start where it doesn't. */
function quotedEnd(text: string, start: number, quote: string): number {
  const length = text.slice(start, start + valueLengthMax).indexOf(quote);
  return length < 0 || /[\r\n]/.test(text.slice(start, start + length)) ? start : start + length;
}

function bareLength(text: string, start: number, name: string, assigned: string): number {
  const isHeader = cookieName.test(name) && assigned.includes(":");
  return at(isHeader ? cookies : bareValue, text, start).trimEnd().length;
}

function isCredential(value: string, name: string, quoted: boolean, next: string, assigned: string): boolean {
  if (value.length < 3 || reference.test(value)) return false;
  if (!quoted) return isBareCredential(value, name, next, assigned);
  return !uppercaseName.test(value) && !value.includes("${") && (!weakName.test(name) || looksRandom.test(value));
}

/** Whether a value without quotes is a text, as in a log line or a setting, and not an expression of a program. */
function isBareCredential(value: string, name: string, next: string, assigned: string): boolean {
  if (assigned === queryAssigned) return true;
  if (/[([{.]/.test(next)) return false;
  if (!identifierPath.test(value)) return looksRandom.test(value);
  if (/[.@:>]/.test(value)) return false;
  if (/\d/.test(value)) return true;
  if (weakName.test(name) || isNamedLike(value, name)) return false;
  return /[: ]/.test(assigned) ? /^[\r\n]?$/.test(next) && /^[a-z]/.test(value) : !/[,;)]/.test(next);
}

/** Whether a value is a variable named like what it is assigned to: `password=new_password`. */
function isNamedLike(value: string, name: string): boolean {
  return /passw|pwd|secret|token|key|auth|cred/i.test(value) || value.toLowerCase() === name.toLowerCase();
}
