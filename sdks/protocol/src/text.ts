import { z } from "zod";

/** Length of a string in UTF-8 bytes, counted without encoding it. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else {
      bytes += 2;
      const isPair = unit >= 0xd800 && unit <= 0xdbff && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
      // A surrogate pair is two code units and four bytes: two more than its units, not four.
      if (isPair) index++;
    }
  }
  return bytes;
}

/** A schema for a string of at most `maximum` UTF-8 bytes; a longer one fails as `string_too_long`. */
export function boundedBytes(maximum: number) {
  return z.string().superRefine((text, context) => {
    if (text.length > maximum || utf8Length(text) > maximum) {
      context.addIssue({
        code: "too_big",
        maximum,
        origin: "string",
        inclusive: true,
        input: text,
        message: `String should have at most ${maximum} bytes in UTF-8`,
      });
    }
  });
}

/** RFC 3339 with a zone, as Node and Python print it. */
export const timestampSchema = z.iso.datetime({ offset: true });
