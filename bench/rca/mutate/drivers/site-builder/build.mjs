import matter from 'gray-matter';
import MarkdownIt from 'markdown-it';
import sanitize from 'sanitize-html';

const markdown = new MarkdownIt({ html: true, linkify: true, typographer: true });
markdown.core.ruler.push('links', (state) => {
  state.env.links = state.tokens
    .filter((token) => token.type === 'inline')
    .flatMap((token) => token.children.filter((child) => child.type === 'link_open').map((child) => child.attrGet('href')));
});
const fallback = markdown.renderer.rules.table_open ?? ((tokens, index, options, env, self) => self.renderToken(tokens, index, options));
markdown.renderer.rules.table_open = (tokens, index, options, env, self) => {
  tokens[index].attrJoin('class', 'wide');
  return fallback(tokens, index, options, env, self);
};

export function build(pages) {
  return Object.entries(pages).map(([slug, text]) => {
    const { data, content, excerpt } = matter(text, { excerpt: true, excerpt_separator: '<!-- more -->' });
    const env = {};
    const html = clean(markdown.render(`# ${data.title}\n\n${content}`, env));
    return { slug, title: data.title, tags: data.tags, html, links: env.links, teaser: markdown.renderInline(excerpt.trim()) };
  });
}

function clean(html) {
  return sanitize(html, {
    allowedTags: sanitize.defaults.allowedTags.concat(['img', 'h1']),
    allowedAttributes: { a: ['href', 'rel'], img: ['src', 'alt'], table: ['class'], p: ['style'] },
    allowedStyles: { '*': { 'text-align': [/^left$|^right$/] } },
    transformTags: { a: sanitize.simpleTransform('a', { rel: 'noopener' }) },
    allowedSchemes: ['https', 'mailto'],
  });
}
