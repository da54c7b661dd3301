import rehypeStringify from 'rehype-stringify';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { collect } from './collect.mjs';

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(collect)
  .use(remarkRehype, { clobberPrefix: 'note-' })
  .use(rehypeStringify, { closeSelfClosing: true });

export async function convert(text) {
  const file = await processor.process({ value: text, path: 'notes.md' });
  const { headings, links, words } = file.data;
  if (file.messages.length > 0) throw new Error(file.messages[0].reason);
  return { html: String(file), headings, links, words };
}
