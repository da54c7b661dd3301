const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Returns the elements of the list that an object has under a name, each as its own JSON, so that only one at a time has
 * to be parsed. Nothing for any other JSON. It only looks for where they end: whether they are JSON is for the parser.
 */
export function* jsonElements(json: Buffer, name: string): Generator<Buffer> {
  let at = placeOfList(json, name);
  if (at === undefined) return;
  let end = endOfValue(json, at);
  if (json[end] === closeBracket && isBlank(json, at, end)) return;
  yield json.subarray(at, end);
  while (json[end] === comma) {
    at = end + 1;
    end = endOfValue(json, at);
    yield json.subarray(at, end);
  }
}

/** Returns where the first element of the list would be. */
function placeOfList(json: Buffer, name: string): number | undefined {
  let at = afterBlanks(json, 0);
  if (json[at] !== openBrace) return undefined;
  const key = JSON.stringify(name);
  do {
    const start = afterBlanks(json, at + 1);
    const end = endOfString(json, start);
    const value = afterBlanks(json, afterBlanks(json, end) + 1);
    const isNamed = json.toString("latin1", start, end) === key && json[afterBlanks(json, end)] === colon;
    if (isNamed) return json[value] === openBracket ? value + 1 : undefined;
    at = endOfValue(json, value);
  } while (json[at] === comma);
  return undefined;
}

/** Returns where the comma or bracket is that ends a value, or where the JSON ends. */
function endOfValue(json: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === quote) at = endOfString(json, at) - 1;
    else if (byte === openBrace || byte === openBracket) depth += 1;
    else if (depth === 0 && (byte === comma || byte === closeBrace || byte === closeBracket)) return at;
    else if (byte === closeBrace || byte === closeBracket) depth -= 1;
  }
  return json.length;
}

/** Returns where the text that begins with the quote at `start` ends, after its last quote. */
function endOfString(json: Buffer, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    if (json[at] === backslash) at += 1;
    else if (json[at] === quote) return at + 1;
  }
  return json.length;
}

function afterBlanks(json: Buffer, start: number): number {
  let at = start;
  while (isBlank(json, at, at + 1)) at += 1;
  return at;
}

function isBlank(json: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = json[at];
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return false;
  }
  return true;
}
