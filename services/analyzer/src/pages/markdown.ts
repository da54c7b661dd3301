import { Marked } from "marked";
import { escapeHtml, type Markup, trusted } from "./html.ts";

/**
 * Reports quote what attackers may have written, so nothing of it becomes markup of its own: raw HTML is shown as
 * text, images are not loaded, and only web links are links.
 */
const marked = new Marked({
  renderer: {
    html: ({ text }) => escapeHtml(text),
    image: ({ text }) => escapeHtml(text),
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      if (!/^https?:\/\//i.test(href)) return text;
      return `<a href="${escapeHtml(href)}" rel="noopener noreferrer nofollow" target="_blank">${text} ↗</a>`;
    },
  },
});

/** Markdown as safe markup. */
export function markdown(source: string): Markup {
  return trusted(marked.parse(source, { async: false }));
}
