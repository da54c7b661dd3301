import { convert } from './convert.mjs';

const notes = `# Notes *of* the week

Some text with a [link](https://example.org "t"), a footnote[^1] and \`code\`.

* [x] done
* [ ] open
  1. one
  2. two

| a | b |
|:--|--:|
| 1 | **2** |

> quote
> more

\`\`\`js
let a = 1
\`\`\`

[^1]: The note. See www.example.org &amp; ~~that~~.

![image][logo] <b>raw</b>

[logo]: ./logo.png

***
`;

const { html, headings, words, links } = await convert(notes);
if (headings.length !== 1) throw new Error(`expected one heading, found ${headings.length}`);
if (links.some((url) => !url.includes('.'))) throw new TypeError(`not a link: ${links.join(', ')}`);
console.log(headings[0].toUpperCase(), words, links[0].length, html.match(/<td[^>]*>/g).length, /<li.*?>/.exec(html)[0], html.split('footnote')[1].length);
