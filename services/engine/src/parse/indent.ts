/** How far a line is indented, in characters. */
export function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}
