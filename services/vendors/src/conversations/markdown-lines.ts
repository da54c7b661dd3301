/** The kind of a line of Markdown: text, part of a quote or code block, or the start or end of a code block. */
export type LineKind = "prose" | "quote" | "code" | "fence";

export interface MarkdownLine {
  readonly text: string;
  readonly kind: LineKind;
}

const lineBreak = /\r\n?|\n/;
/** Also within a list. */
const fencePattern = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)*(`{3,}|~{3,})(.*)$/;
const quotePattern = /^ {0,3}>/;
const indentedPattern = /^(?: {4}|\t)/;

/** Returns the lines of a Markdown text, by CommonMark's blocks (https://spec.commonmark.org/0.31.2/#leaf-blocks). */
export function markdownLines(markdown: string): readonly MarkdownLine[] {
  let fence: string | null = null;
  let isParagraph = false;
  return markdown.split(lineBreak).map((text): MarkdownLine => {
    const kind = kindOf(text, fence, isParagraph);
    if (kind === "fence") fence = fence === null ? (fencePattern.exec(text)?.[1] ?? null) : null;
    isParagraph = kind === "prose" && text.trim() !== "";
    return { text, kind };
  });
}

function kindOf(text: string, fence: string | null, isParagraph: boolean): LineKind {
  const [, marker = "", info = ""] = fencePattern.exec(text) ?? [];
  if (fence !== null) return marker.startsWith(fence) && info.trim() === "" ? "fence" : "code";
  // Backticks after an opening fence make it a code span.
  if (marker !== "" && !(marker.startsWith("`") && info.includes("`"))) return "fence";
  if (quotePattern.test(text)) return "quote";
  return indentedPattern.test(text) && text.trim() !== "" && !isParagraph ? "code" : "prose";
}

const paragraphBreak = /(\n[^\S\n]*\n)/;
const comment = /<!--[\s\S]*?(?:-->|$)/g;

/**
 * Returns people's own words in a Markdown text, with spaces in place of code, quotes, and HTML comments. It has the
 * same length as the lines joined by line feeds.
 */
export function ownWordsOf(lines: readonly MarkdownLine[]): string {
  const prose = lines.map(({ text, kind }) => (kind === "prose" ? text : blank(text))).join("\n");
  return prose.split(paragraphBreak).map(withoutCodeSpans).join("").replace(comment, blank);
}

/** A code span is between two runs of backticks of equal length (https://spec.commonmark.org/0.31.2/#code-spans). */
function withoutCodeSpans(paragraph: string): string {
  const rows = [...paragraph.matchAll(/`+/g)];
  const nextOfLength = new Map<number, number>();
  const closing = rows.map((): number | undefined => undefined);
  for (const [index, [row]] of [...rows.entries()].toReversed()) {
    closing[index] = nextOfLength.get(row.length);
    nextOfLength.set(row.length, index);
  }
  let [text, written] = ["", 0];
  for (let index = 0; index < rows.length; index += 1) {
    const end = rows[closing[index] ?? rows.length];
    const start = rows[index];
    if (!start || !end) continue;
    const after = end.index + end[0].length;
    text += paragraph.slice(written, start.index) + blank(paragraph.slice(start.index, after));
    written = after;
    index = closing[index] ?? index;
  }
  return text + paragraph.slice(written);
}

function blank(text: string): string {
  return " ".repeat(text.length);
}
