const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const space = 0x20;
const openingBracket = 0x5b;
const closingBracket = 0x5d;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/** Where the value of a member begins and, after the call, where it ends. */
type ReadMember = (name: string, valueAt: number) => number;

/**
 * The events of a batch message as the texts that they are in it, in their order: what a client sent need not be made
 * again to be stored. `message` must be valid JSON. Undefined when that takes a closer look: it has line breaks or tabs,
 * or names `batch` or `events` twice or with escapes.
 */
export function eventTexts(message: string): readonly string[] | undefined {
  if (["\n", "\r", "\t"].some((character) => message.includes(character))) return undefined;
  const found: string[][] = [];
  let isPlain = true;
  const readBatch: ReadMember = (name, valueAt) => {
    if (name.includes("\\")) isPlain = false;
    if (name !== "events" || message.charCodeAt(valueAt) !== openingBracket) return endOfValue(message, valueAt);
    const texts: string[] = [];
    found.push(texts);
    return readElements(message, valueAt, texts);
  };
  const readMessage: ReadMember = (name, valueAt) => {
    if (name.includes("\\")) isPlain = false;
    if (name !== "batch" || message.charCodeAt(valueAt) !== openingBrace) return endOfValue(message, valueAt);
    return readMembers(message, valueAt, readBatch);
  };
  const start = afterSpace(message, 0);
  if (message.charCodeAt(start) === openingBrace) readMembers(message, start, readMessage);
  return isPlain && found.length === 1 ? found[0] : undefined;
}

/** Both read what begins at `at`, and return where it ends. */
function readMembers(text: string, at: number, readMember: ReadMember): number {
  let next = afterSpace(text, at + 1);
  while (text.charCodeAt(next) !== closingBrace) {
    const nameEnd = endOfString(text, next);
    const name = text.slice(next + 1, nameEnd - 1);
    const valueEnd = readMember(name, afterSpace(text, afterSpace(text, nameEnd) + 1));
    next = afterComma(text, valueEnd);
  }
  return next + 1;
}

function readElements(text: string, at: number, texts: string[]): number {
  let next = afterSpace(text, at + 1);
  while (text.charCodeAt(next) !== closingBracket) {
    const end = endOfValue(text, next);
    texts.push(text.slice(next, end));
    next = afterComma(text, end);
  }
  return next + 1;
}

/** Of a value that is part of an array or an object: the first place behind it that is not in it. */
function endOfValue(text: string, at: number): number {
  let depth = 0;
  for (let next = at; next < text.length; next++) {
    const unit = text.charCodeAt(next);
    if (unit === quote) next = endOfString(text, next) - 1;
    else if (unit === openingBrace || unit === openingBracket) depth += 1;
    else if (unit === comma && depth === 0) return next;
    else if (unit === closingBrace || unit === closingBracket) {
      if (depth === 0) return next;
      depth -= 1;
    }
  }
  return text.length;
}

/** Searches, and looks at what it finds: half the time of looking at each character. */
function endOfString(text: string, at: number): number {
  let end = text.indexOf('"', at + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let from = at;
  while (text.charCodeAt(from - 1) === backslash) from -= 1;
  return (at - from) % 2 === 1;
}

function afterComma(text: string, at: number): number {
  const next = afterSpace(text, at);
  return text.charCodeAt(next) === comma ? afterSpace(text, next + 1) : next;
}

function afterSpace(text: string, at: number): number {
  let next = at;
  while (text.charCodeAt(next) === space) next += 1;
  return next;
}
