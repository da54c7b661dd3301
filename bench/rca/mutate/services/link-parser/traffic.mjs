import { setTimeout } from 'node:timers/promises';
import { outlineOf } from './src/outline.mjs';

const documents = [
  '# Read me\nSee [the guide](https://example.com/guide) and `code`.',
  `# ${'abcdefghij'.repeat(4)} - not a heading`,
  `[open ${'bracket'.repeat(6)} and no end`,
  `\`${'unclosed'.repeat(5)} code`,
  `[link](https://${'examplehost'.repeat(4)}.example.com/${'pathpart'.repeat(5)}?x=1)`,
  `[link](${'relative/'.repeat(5)}`,
];
for (const text of documents) {
  await setTimeout(150);
  console.log(JSON.stringify(outlineOf(text)));
}
