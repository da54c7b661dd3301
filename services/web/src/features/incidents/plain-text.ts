/** Returns prose without markup, for a list, a window's title, or a label. */
export function plainText(prose: string): string {
  return prose
    .replaceAll("`", "")
    .replace(/ ?\[e\d{1,6}(?:, ?e\d{1,6})*\]/g, "")
    .trim();
}
