/** Returns the lines of a text area, trimmed and without blank ones. */
export function enteredLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Returns an entered number; other text stays as it is, for the schema to reject. */
export function enteredNumber(text: string): number | string {
  return text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text);
}

/** Returns an entered whole number, or null for an empty field; other text stays as it is, for the schema to reject. */
export function enteredCount(text: string): number | string | null {
  const entered = text.trim();
  return entered === "" ? null : /^\d+$/.test(entered) ? Number(entered) : entered;
}
