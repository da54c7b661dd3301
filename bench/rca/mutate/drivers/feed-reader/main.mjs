import { readFeed } from './feed.mjs';
import { readArticle } from './article.mjs';
import { restyle } from './style.mjs';
import { write } from './write.mjs';

const feed = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>News &amp; more</title>
<item id="1"><title><![CDATA[First <one>]]></title><dc:creator>Ada</dc:creator><link>https://example.org/1</link></item>
<item id="2"><title>Second</title><dc:creator>Bo</dc:creator><!-- note --><link>https://example.org/2</link></item>
</channel></rss>`;

const items = readFeed(feed);
const article = readArticle(`<!doctype html><div class="post main"><h1>Hi <b>you</b></h1><p>One<p>Two &copy; <a href="/x?a=1&b=2" data-n=7>link</a><ul><li>a<li class=last>b</ul><table><tr><td>1</table><svg><path d="M0"/></svg></div>`);
const css = restyle('@media (min-width: 10px) { a:hover::before, .b > c[href^="x"] { color: #FF0000; margin: -1px calc(1px + 2%) !important; background: url(a.png) } } @import "x.css"; :root { --x: {a:b} }');
const again = readFeed(write(items));
if (again.length !== items.length || again[1].author !== items[1].author) throw new Error(`wrote ${items.length} items, read ${again.length}`);
console.log(items[0].title.toUpperCase(), article.links[0].number.toFixed(), css.colors[0].length, again[0].link.split('/')[3], article.texts[1].trim());
