/** Escapes `text` for use in a regular expression. */
export function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
