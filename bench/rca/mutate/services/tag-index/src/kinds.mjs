import * as words from './words.mjs';

const kinds = [
  ['tag', words.tag],
  ['version', words.version],
  ['phrase', words.quoted],
];

export function kindOf(word) {
  for (const [kind, pattern] of kinds) if (pattern.test(word)) return kind;
  return 'word';
}
