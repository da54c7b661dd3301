/** The forms of text that functions of JavaScript's runtime parse, rejecting all others. */
export type TextForm = "date" | "url" | "json" | "uri-component";

const readers: Readonly<Record<TextForm, (text: string) => unknown>> = {
  date: (text) => new Date(text).toISOString(),
  url: (text) => new URL(text),
  json: (text) => JSON.parse(text),
  "uri-component": (text) => decodeURIComponent(text),
};

/** Returns whether a text is valid in a form. */
export function isReadable(text: string, form: TextForm): boolean {
  try {
    readers[form](text);
    return true;
  } catch {
    return false;
  }
}

const refusals: readonly (readonly [RegExp, TextForm])[] = [
  [/^RangeError: Invalid time value/, "date"],
  [/^TypeError: Invalid URL/, "url"],
  [/^SyntaxError: .{0,200}\bJSON\b/s, "json"],
  [/^URIError: URI malformed/, "uri-component"],
];

/** Returns the form in which the error says that a text couldn't be parsed; null when it names none. */
export function refusedAs(type: string, message: string): TextForm | null {
  return refusals.find(([pattern]) => pattern.test(`${type}: ${message}`))?.[1] ?? null;
}

/** Returns whether a text is a mask that replaces a credential, so what the program has there is unknown. */
export function isMasked(text: string): boolean {
  return /^\*{3,}$/.test(text);
}
