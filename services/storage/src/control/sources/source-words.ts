import { zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** UTF-16 units of a text whose words are kept, and how many of them. */
const readUnitsMax = 400_000;
const wordsMax = 5_000;
const word = /[A-Za-z_$][\w$]{2,60}/g;
const definition =
  /\b(?:function\*?|def|func|fn|fun|class|interface|type|enum|struct|trait|module|const|let|var|val)\s+(?:\([^()]{0,100}\)\s*)?([A-Za-z_$][\w$]{2,60})/g;
const defined = "=";

/** The words that a text contains, out of a given list, and those that it defines. */
export interface NamedWords {
  readonly contains: readonly string[];
  readonly defines: readonly string[];
}

/** Packs the distinct words of a text, as a list to search: names as code spells them, and what it defines. */
export function packWords(text: string): Uint8Array {
  const read = text.slice(0, readUnitsMax);
  const words = new Set<string>();
  for (const { 1: name } of read.matchAll(definition)) words.add(`${defined}${name}`);
  for (const [name] of read.matchAll(word)) {
    if (words.size >= wordsMax) break;
    words.add(name);
  }
  return zstdCompressSync(`\n${[...words].join("\n")}\n`);
}

/** Finds words in what {@link packWords} packed. */
export function findWords(packed: Uint8Array, words: readonly string[]): NamedWords {
  // Words are ASCII: nothing else matches them.
  const list = zstdDecompressSync(packed).toString("latin1");
  const has = (name: string): boolean => list.includes(`\n${name}\n`);
  return { contains: words.filter(has), defines: words.filter((name) => has(`${defined}${name}`)) };
}
