import { type ParsedError, parseText } from "@whence/engine";

/** Parsing more text on this thread would delay requests. */
const unitsMax = 16_384;

/** Parses as much of an announced failure's text as the queries about it need. */
export function readAnnounced(text: string): ParsedError {
  return parseText(text.slice(0, unitsMax));
}
