import { DOMParser, XMLSerializer } from '@xmldom/xmldom';
import sax from 'sax';
import convert from 'xml-js';
import xpath from 'xpath';

const select = xpath.useNamespaces({ dc: 'http://purl.org/dc/elements/1.1/' });

export function readFeed(text) {
  const document = new DOMParser().parseFromString(text, 'text/xml');
  const items = select("//item[position() <= 5 and string-length(title) > 2]", document).map((node) => ({
    id: Number(select('number(@id)', node)),
    title: select('string(title)', node),
    author: select('normalize-space(dc:creator/text())', node),
    link: select("concat(substring-before(link, '//'), '//', substring-after(link, '//'))", node),
    next: select('following-sibling::item[1]/@id | self::node()[not(following-sibling::item)]/@id', node)[0].value,
  }));
  const names = openTags(text);
  if (names.filter((name) => name === 'item').length !== items.length) throw new Error(`${items.length} items of ${names}`);
  const first = select('//item', document)[0];
  const copy = first.cloneNode(true);
  copy.setAttribute('id', '9');
  first.parentNode.insertBefore(copy, first);
  first.parentNode.removeChild(first);
  const plain = convert.xml2js(new XMLSerializer().serializeToString(document), { compact: true, trim: true, nativeType: true });
  if (Number(plain.rss.channel.item[0]._attributes.id) !== 9) throw new Error(`id ${plain.rss.channel.item[0]._attributes.id}`);
  convert.js2xml(convert.xml2js(text, { compact: false }), { spaces: 2, fullTagEmptyElement: true }).split('\n')[2].trim();
  return items;
}

function openTags(text) {
  const names = [];
  const parser = sax.parser(true, { xmlns: true, position: true, trim: true });
  parser.onopentag = ({ local, uri, attributes }) => names.push(attributes.id ? local : `${local}${uri.length}`.replace(/0$/, ''));
  parser.onerror = (error) => {
    throw error;
  };
  parser.write(text.slice(0, 100)).write(text.slice(100)).close();
  return names;
}
