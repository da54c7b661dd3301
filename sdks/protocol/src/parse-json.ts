/** Parses JSON; undefined for invalid JSON, which no schema accepts. The parser's own error would quote the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
