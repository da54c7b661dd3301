/** The parameters of an address as text and nothing else: `?search=500` is not a number. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** As {@link parseSearch} reads it; what is not there is left out. */
export function stringifySearch(search: Record<string, unknown>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== "") parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}
