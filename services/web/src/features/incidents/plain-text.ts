/** Prose without its marks: for a list, a window's title, a label. */
export function plainText(prose: string): string {
  return prose
    .replaceAll("`", "")
    .replace(/ ?\[e\d{1,6}(?:, ?e\d{1,6})*\]/g, "")
    .trim();
}
