/** Parses JSON; undefined for invalid JSON, which no schema accepts. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
