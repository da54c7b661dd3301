import { credentialName, credentialPatterns, maskedBy } from "./credential-patterns.ts";

/** A value without quotes that is neither a reference, nor empty, nor masked. */
const unquoted = String.raw`(?!\$|%[sdv{]|[<{!&|>\[]|(?:true|false|null|~|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|\*[*\t ,+"'\x60]*)[\t ]*(?:#.*)?$)`;

/** Credentials in settings, whose values may have no quotes. In code, such values are names. */
const settingsPatterns: ReadonlyMap<string, RegExp> = new Map([
  ...credentialPatterns,
  [
    "an assigned credential in settings",
    new RegExp(
      String.raw`(?<=^[\t -]{0,80}["']?[\w.-]{0,80}${credentialName}["']?[\t ]{0,8}[:=][\t ]{0,8})${unquoted}[^\s"'\x60#][^\r\n]*(?<!\s)`,
      "m",
    ),
  ],
  ["a credential in XML", new RegExp(String.raw`(?<=<[\w.:-]{0,80}${credentialName}>)(?!\*+<)[^\s<>$#{}]+(?=<)`)],
]);
const settingsFile = /\.(?:ya?ml|properties|ini|cfg|conf|toml|xml)$|(?:^|[\\/])\.env\.\w+$/i;

/**
 * Returns the text with each recognized credential replaced by as many asterisks, so that lines and columns stay. The
 * path of the file that it is from, when it is from one, tells which values are recognized without quotes.
 */
export function withoutCredentials(text: string, path = ""): string {
  return maskedBy(patternsFor(path), text);
}

/** Returns the kind of credential that a text, of the file with this path, contains; null when none is recognized. */
export function credentialIn(text: string, path = ""): string | null {
  for (const [kind, pattern] of patternsFor(path)) if (pattern.test(text)) return kind;
  return null;
}

function patternsFor(path: string): ReadonlyMap<string, RegExp> {
  return settingsFile.test(path) ? settingsPatterns : credentialPatterns;
}
