import type { MarkdownRenderer } from "vitepress";

/** Makes an empty head of a column an ordinary cell, which screen readers don't read as the name of the column. */
export function emptyHeads(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("empty-heads", ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      const [content, end] = tokens.slice(index + 1, index + 3);
      if (token.type !== "th_open" || content?.content !== "" || end === undefined) continue;
      token.tag = "td";
      end.tag = "td";
    }
  });
}
