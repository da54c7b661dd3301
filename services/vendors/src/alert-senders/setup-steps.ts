/** Numbered steps, each in Markdown. */
export function numbered(...steps: readonly string[]): string {
  return steps.map((step, index) => `${index + 1}. ${step}`).join("\n");
}
