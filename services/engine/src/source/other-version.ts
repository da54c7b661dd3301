import type { SourceText } from "./source-text.ts";

/** Lines that hold no code, by how their languages begin a comment. */
const comments: readonly (readonly [RegExp, RegExp])[] = [
  [/\.(?:py|rb|rake|ru|gemspec)$/, /^#/],
  [
    /\.(?:[cm]?[jt]sx?|java|kt|scala|groovy|go|cs|rs|php|dart|swift|c|cc|cpp|h)$/,
    /^(?:\/\/|\/\*(?!.*\*\/.*\S)|\*(?:\s|\/|$))/,
  ],
];

/** Why a line can't be the one that a frame names. */
export type Contradiction = "absent" | "blank" | "comment";

/**
 * Returns why a line of a text can't have been on a stack, which shows that another version of the file ran; null where
 * it can.
 */
export function contradictionAt(source: SourceText, line: number): Contradiction | null {
  if (!source.has(line)) return "absent";
  const text = source.line(line).trim();
  if (text === "") return "blank";
  return comments.some(([files, comment]) => files.test(source.name) && comment.test(text)) ? "comment" : null;
}
