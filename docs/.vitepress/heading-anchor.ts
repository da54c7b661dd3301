/** Returns what names a heading behind `#`, as GitHub spells it; repeated headings get a number from the caller. */
export function headingAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");
}
