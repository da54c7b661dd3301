import { convert, create, fragment } from 'xmlbuilder2';

export function write(items) {
  const root = create({ version: '1.0', encoding: 'UTF-8' }).ele('rss', { version: '2.0' }).att('http://www.w3.org/2000/xmlns/', 'xmlns:dc', 'http://purl.org/dc/elements/1.1/').ele('channel').ele('title').txt('All & more').up();
  for (const { id, title, author, link } of items)
    root.ele('item', { id }).ele('title').dat(title).up().ele('http://purl.org/dc/elements/1.1/', 'dc:creator').txt(author).up().com(' made ').ele('link').txt(link).up().up();
  root.import(fragment({ generator: { '@v': 1, '#': 'x' } }));
  const text = root.end({ prettyPrint: true, allowEmptyTags: true });
  const plain = convert(text, { format: 'object' });
  if (plain.rss.channel.item.length !== items.length) throw new Error(`${plain.rss.channel.item.length} items`);
  return text;
}
