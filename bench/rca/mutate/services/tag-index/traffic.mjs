import { setTimeout } from 'node:timers/promises';
import { addTo } from './src/index-of.mjs';

const index = new Map();
const notes = [
  'buy #milk and #fresh_bread',
  `a #${'longtagname'.repeat(4)}!`,
  `since v1.2 and v${'1234567890'.repeat(4)}-beta`,
  `"${'phrase'.repeat(7)}`,
];
for (const [id, text] of notes.entries()) {
  await setTimeout(150);
  addTo(index, id, text);
}
console.log(index.size);
