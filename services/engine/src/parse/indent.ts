/** Returns the indentation of a line in characters. */
export function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}
