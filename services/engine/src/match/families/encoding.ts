import type { Signature } from "../../findings.ts";

export const encoding: readonly Signature[] = [
  {
    id: "node.uri-malformed",
    category: "encoding",
    match: { message: ["URI malformed", "malformed URI sequence", "Failed to decode param '{text}'"] },
    meaning: "A text cannot be encoded or decoded as a URI: a lone surrogate (half of an emoji), or a stray `%`.",
    seenIfTrue: "the text was cut by length in the middle of a character, or contains `%` that is no escape",
    seenIfFalse: "the text is well-formed",
    shortTerm:
      "Check the text with `isWellFormed()` before encoding (or use `toWellFormed()`); catch the error when decoding input.",
    longTerm: "Cut texts by code points or graphemes (`Intl.Segmenter`) and not by UTF-16 units.",
    url: "https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Errors/Malformed_URI",
  },
  {
    id: "node.encoding",
    category: "encoding",
    match: {
      code: ["ERR_ENCODING_INVALID_ENCODED_DATA", "ERR_ENCODING_NOT_SUPPORTED", "ERR_UNKNOWN_ENCODING"],
      message: [
        "The encoded data was not valid",
        "replacement character",
        "invalid UTF-8",
        "not valid UTF-8",
        "malformed UTF-8",
        "did not contain valid UTF-8",
        "is not valid UTF-8",
        "Unknown encoding: {encoding}",
        'The "{encoding}" encoding is not supported',
      ],
    },
    meaning: "Bytes are in another encoding than the one they are read in, or the encoding's name is unknown.",
    seenIfTrue: "the bytes decode in another encoding (Latin-1, Windows-1252, UTF-16)",
    seenIfFalse: "the bytes are valid in the encoding that is expected",
    shortTerm: "Read the bytes in the encoding in which they were written.",
    longTerm: "Name the encoding at every edge, and use UTF-8.",
    url: "https://nodejs.org/api/util.html#class-utiltextdecoder",
  },
  {
    id: "node.base64",
    category: "encoding",
    match: {
      code: ["InvalidCharacterError", "binascii.Error"],
      message: [
        "The string to be decoded is not correctly encoded",
        "Incorrect padding",
        "illegal base64 data at input byte {position}",
        "Illegal base64 character {character}",
        "Input byte array has wrong {position}-byte ending unit",
      ],
    },
    meaning:
      "A text that should be base64 is none: the variant for URLs (`-` and `_`), missing padding, a `data:` prefix or line ends in it.",
    seenIfTrue: "the text holds `-`, `_`, spaces or a prefix, or its length is no multiple of four",
    seenIfFalse: "the text holds only the letters of base64 and its padding",
    shortTerm:
      'Decode it as the variant that it is (`Buffer.from(text, "base64url")`, `urlsafe_b64decode`), without prefix.',
    longTerm: "Agree on one variant at each interface, and check it where the text enters.",
    url: "https://www.rfc-editor.org/rfc/rfc4648",
  },
];
