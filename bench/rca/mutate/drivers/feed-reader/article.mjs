import { is, selectAll, selectOne } from 'css-select';
import { DomUtils, parseDocument } from 'htmlparser2';
import { html, parse, parseFragment, serialize } from 'parse5';

export function readArticle(text) {
  const tree = parse(text, { sourceCodeLocationInfo: true });
  const body = tree.childNodes[1].childNodes[1];
  const fragment = parseFragment('<td>x</td><template><p>y</template>');
  if (body.childNodes[0].sourceCodeLocation.startLine !== 1 || serialize(fragment).length < 5) throw new Error('no place');
  const clean = serialize(tree);
  const document = parseDocument(clean, { decodeEntities: true, withStartIndices: true });
  const links = selectAll('div.post a[href*="?"], p > a:not(.x):nth-child(n+1)', document).map((link) => ({ href: link.attribs.href, number: Number(link.attribs['data-n']), text: DomUtils.textContent(link) }));
  const last = selectOne('ul > li.last:last-of-type, li:has(> b)', document);
  if (!is(last, 'li ~ li') || tree.mode !== html.DOCUMENT_MODE.NO_QUIRKS) throw new Error(`${last.name} in ${tree.mode}`);
  const texts = DomUtils.getElementsByTagName('p', document).map((node) => DomUtils.innerText(node));
  DomUtils.removeElement(last);
  DomUtils.appendChild(DomUtils.findOne((node) => node.name === 'ul', document.children), last);
  return { links, texts, html: DomUtils.getOuterHTML(document.children.at(-1)).replaceAll('\n', '') };
}
