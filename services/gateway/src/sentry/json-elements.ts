import { parseJson } from "@whence/protocol";
import { turnBytesMax } from "../plugins/turns.ts";

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
/** Bytes of an object before its list, and after it. Clients write some 20. */
const otherBytesMax = 4_096;

/** How many bytes are searched for the end of an element before there is a pause: one turn's work. */
export const scannedBytesMax = turnBytesMax;

/**
 * Returns the elements of the list that an object has under a name, each as its own JSON, so that only one at a time has
 * to be parsed; nothing if it has no such list within its first 4 kB. It only looks for where elements end: whether they
 * are JSON is for the parser. If the object around them isn't JSON, or has more than 4 kB after the list, an empty
 * element follows the last one, which no parser takes. Returns null as a pause in a long element.
 */
export function* jsonElements(json: Buffer, name: string): Generator<Buffer | null> {
  const start = placeOfList(json.subarray(0, otherBytesMax), name);
  if (start === undefined) return;
  let end = afterBlanks(json.subarray(0, start + otherBytesMax), start);
  if (json[end] !== closeBracket) {
    end = start - 1;
    do {
      const at = end + 1;
      end = yield* endOfElement(json, at);
      yield json.subarray(at, end);
    } while (json[end] === comma);
  }
  const isEnded = json[end] === closeBracket && json.length - end <= otherBytesMax;
  if (!isEnded || !isJson(json.subarray(0, start - 1), json.subarray(end + 1))) yield json.subarray(json.length);
}

/** Whether an object is JSON with any value between these parts of it. */
function isJson(before: Buffer, after: Buffer): boolean {
  return parseJson(`${before.toString("utf8")}0${after.toString("utf8")}`) !== undefined;
}

/** Returns where the first element of the list would be. */
function placeOfList(json: Buffer, name: string): number | undefined {
  let at = afterBlanks(json, 0);
  if (json[at] !== openBrace) return undefined;
  const key = Buffer.from(JSON.stringify(name));
  do {
    const start = afterBlanks(json, at + 1);
    const end = endOfKey(json, start);
    const colonAt = afterBlanks(json, end);
    const value = afterBlanks(json, colonAt + 1);
    const isNamed = json[colonAt] === colon && key.equals(json.subarray(start, end));
    if (isNamed) return json[value] === openBracket ? value + 1 : undefined;
    at = goOn(json, { at: value, depth: 0, isText: false }, json.length).at;
  } while (json[at] === comma);
  return undefined;
}

function* endOfElement(json: Buffer, start: number): Generator<null, number> {
  let place: Place = { at: start, depth: 0, isText: false };
  for (;;) {
    const stop = Math.min(json.length, place.at + scannedBytesMax);
    place = goOn(json, place, stop);
    if (place.at < stop || stop === json.length) return place.at;
    yield null;
  }
}

/** A place in a value. */
interface Place {
  readonly at: number;
  readonly depth: number;
  readonly isText: boolean;
}

/** Goes on to the comma or bracket that ends a value, but no further than to `stop`. */
function goOn(json: Buffer, from: Place, stop: number): Place {
  let { at, depth, isText } = from;
  for (; at < stop; at += 1) {
    const byte = json[at];
    if (isText) {
      if (byte === backslash) at += 1;
      else if (byte === quote) isText = false;
    } else if (byte === quote) isText = true;
    else if (byte === openBrace || byte === openBracket) depth += 1;
    else if (byte === comma || byte === closeBrace || byte === closeBracket) {
      if (depth === 0) break;
      if (byte !== comma) depth -= 1;
    }
  }
  return { at: Math.min(at, json.length), depth, isText };
}

/** Returns where the text that begins with the quote at `start` ends, after its last quote. */
function endOfKey(json: Buffer, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    if (json[at] === backslash) at += 1;
    else if (json[at] === quote) return at + 1;
  }
  return json.length;
}

function afterBlanks(json: Buffer, start: number): number {
  let at = start;
  while (isBlank(json[at])) at += 1;
  return at;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
