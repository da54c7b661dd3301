import { Marked } from "marked";
import { escapeHtml, type Markup, trusted } from "./html.ts";

const linkSchemes = /^(?:https?:\/\/|mailto:)/i;

/**
 * Reports quote what attackers may have written, so nothing of it becomes markup of its own: there is no raw HTML, so
 * that it is text like any other, images are not loaded, and only web and mail links are links.
 */
const marked = new Marked({
  tokenizer: {
    html: () => undefined,
    tag: () => undefined,
  },
  renderer: {
    image: ({ text }) => escapeHtml(text),
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      if (!linkSchemes.test(href)) return text;
      return `<a href="${escapeHtml(href)}" rel="noopener noreferrer nofollow" target="_blank">${text} ↗</a>`;
    },
  },
});

/** Markdown as safe markup. */
export function markdown(source: string): Markup {
  return trusted(marked.parse(source, { async: false }));
}
