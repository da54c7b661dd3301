import { type ParsedError, parseText } from "@whence/engine";

/** Reading more of a text beside the database would delay requests. */
const unitsMax = 16_384;

/** As much of an announced failure's text as what is asked about it is made from. */
export function readAnnounced(text: string): ParsedError {
  return parseText(text.slice(0, unitsMax));
}
