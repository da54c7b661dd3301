/** Keywords, and names that every program has, which say nothing about a place. */
const commonWords: ReadonlySet<string> = new Set(
  "abstract and any args array async await bool boolean break case catch class const constructor continue def default delete elif else end enum error errors except export extends false final finally for foreach from func function get global if implements import in instanceof int interface is lambda len let map module new nil none not null number object of or package pass print private protected public raise require rescue return self set static str string struct super switch this throw throws true try type typeof undefined unless use value values var void was when while with yield cannot can could has have should must expected received invalid unexpected properties property read reading".split(
    " ",
  ),
);

const identifier = /[A-Za-z_$][\w$]{2,63}/g;

/** Returns the identifiers in a text, as written, without keywords. */
export function identifiersIn(text: string): Set<string> {
  const found = new Set<string>();
  for (const [word] of text.matchAll(identifier)) if (!commonWords.has(word.toLowerCase())) found.add(word);
  return found;
}

/** Returns how telling a word is among some files: 1 when a single one has it, 0 when all have it. */
export function rarityOf(word: string, files: readonly ReadonlySet<string>[]): number {
  const having = files.reduce((sum, words) => sum + Number(words.has(word)), 0);
  if (having === 0) return 0;
  return files.length === 1 ? 1 : 1 - Math.log(having) / Math.log(files.length);
}

/** Returns the share of some wanted words, weighted by rarity, that a file has; 0 when none of them is telling. */
export function sharedWords(
  wanted: ReadonlySet<string>,
  words: ReadonlySet<string>,
  rarity: (word: string) => number,
): number {
  let shared = 0;
  let all = 0;
  for (const word of wanted) {
    const weight = rarity(word);
    all += weight;
    if (words.has(word)) shared += weight;
  }
  return all === 0 ? 0 : shared / all;
}
