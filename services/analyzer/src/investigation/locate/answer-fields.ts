import type { Clue } from "../findings.ts";

/** The first field that is read of what came from outside: where its shape is taken for granted. */
export function markAnswerFields(clues: readonly Clue[]): Clue[] {
  const marked = [...clues];
  for (const [index, { how, steps }] of clues.entries()) {
    if (how !== "outside-answer") continue;
    let depth = steps;
    for (let at = index - 1; at >= 0; at--) {
      const clue = marked[at];
      if (!clue || clue.steps >= depth) continue;
      depth = clue.steps;
      if (clue.how === "answer-field") break;
      if (clue.how !== "property") continue;
      marked[at] = { ...clue, how: "answer-field" };
      break;
    }
  }
  return marked;
}
