import { kindOf } from './kinds.mjs';

export function addTo(index, id, text) {
  for (const word of text.split(' ')) {
    const kind = kindOf(word);
    if (kind === 'word') continue;
    const found = index.get(word) ?? { kind, notes: [] };
    found.notes.push(id);
    index.set(word, found);
  }
}
