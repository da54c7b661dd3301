/** What functions of JavaScript's runtime read a text as, and refuse others. */
export type TextForm = "date" | "url" | "json" | "uri-component";

const readers: Readonly<Record<TextForm, (text: string) => unknown>> = {
  date: (text) => new Date(text).toISOString(),
  url: (text) => new URL(text),
  json: (text) => JSON.parse(text),
  "uri-component": (text) => decodeURIComponent(text),
};

/** Whether a text is accepted as what it is read as. */
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

/** What an error says that a text couldn't be read as; null when it says nothing of that. */
export function refusedAs(type: string, message: string): TextForm | null {
  return refusals.find(([pattern]) => pattern.test(`${type}: ${message}`))?.[1] ?? null;
}
