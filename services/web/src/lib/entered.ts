/** The lines of a text area, without blank ones and the space around them. */
export function enteredLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** A number that was entered; any other text as it is, for the schema to refuse. */
export function enteredNumber(text: string): number | string {
  return text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text);
}

/** A whole number, or null where nothing was entered; any other text as it is, for the schema to refuse. */
export function enteredCount(text: string): number | string | null {
  const entered = text.trim();
  return entered === "" ? null : /^\d+$/.test(entered) ? Number(entered) : entered;
}
