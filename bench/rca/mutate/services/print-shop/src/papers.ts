export type Paper = { name: string; grams: number; cents: number };

const papers: Paper[] = [
  { name: 'plain', grams: 80, cents: 2 },
  { name: 'photo', grams: 240, cents: 35 },
];

export function findPaper(name: string): Paper | undefined {
  return papers.find((paper) => paper.name === name);
}
