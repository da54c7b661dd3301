import { readFileSync } from "node:fs";

/** What Node appends to a program that it read as TypeScript. */
const trailer = "\n\n//# sourceURL=";
const blank = /[\s;]/;

/**
 * Returns the text of a TypeScript file that Node runs as it is, with blanks for its types; undefined when what runs was
 * made from another text, or the file can't be read.
 */
export function withTypes(path: string, source: string): string | undefined {
  const text = textOf(path);
  if (text === undefined || source.lastIndexOf(trailer) !== text.length) return undefined;
  for (let at = 0; at < text.length; at += 1)
    if (source[at] !== text[at] && !blank.test(source.charAt(at))) return undefined;
  return text;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // A deployment may have removed it since it was loaded.
    return undefined;
  }
}
