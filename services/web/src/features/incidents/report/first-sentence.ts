/** Splits a text into its first sentence and the rest. */
export function firstSentence(text: string): readonly [first: string, rest: string] {
  const end = text.indexOf(". ") + 1;
  return end > 0 ? [text.slice(0, end), text.slice(end).trimStart()] : [text, ""];
}
