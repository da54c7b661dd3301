import type { AccuracyFigures } from "@whence/protocol";

/** Returns how many reports have been judged. */
export function judgedCount({ people, agents, predictions }: AccuracyFigures): number {
  return [people, agents, predictions].reduce((sum, one) => sum + one.confirmed + one.partly + one.refuted, 0);
}

/** Returns `72%`; a dash for null. */
export function percent(share: number | null): string {
  return share === null ? "–" : `${Math.round(share * 100)}%`;
}

/** Returns `5 right, 1 in part, 2 wrong`, without zero counts; a dash for none. */
export function sayJudged({ confirmed, partly, refuted }: AccuracyFigures["people"]): string {
  const said = [
    [confirmed, "right"],
    [partly, "in part"],
    [refuted, "wrong"],
  ] as const;
  const words = said.filter(([count]) => count > 0).map(([count, word]) => `${count.toLocaleString()} ${word}`);
  return words.join(", ") || "–";
}
