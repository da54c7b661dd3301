import { keyOfProposed, type ModelFinding } from "@whence/engine";
import type { Proposed } from "./proposal.ts";

const citationsMax = 8;

/**
 * Merges what independent runs propose: one finding for each thing and stance, with the quotes of all runs that name it
 * and their number. A run that gave no answer agrees with nothing.
 */
export function agreed(model: string, runs: readonly (readonly Proposed[])[], of: number): ModelFinding[] {
  const said = runs.flatMap((proposed, run) => proposed.map((one) => ({ ...one, run })));
  const same = Map.groupBy(said, ({ subject, stance }) => `${stance} ${keyOfProposed(subject)}`);
  const merged = [...same.values()].flatMap((alike): ModelFinding[] => {
    const [first] = alike;
    if (!first) return [];
    const { subject, category, stance, sentence } = first;
    const quotes = alike.flatMap(({ citations }) => citations).map((one) => [JSON.stringify(one), one] as const);
    const citations = [...new Map(quotes).values()].slice(0, citationsMax);
    const agreeing = new Set(alike.map(({ run }) => run)).size;
    return [{ model, subject, category, stance, sentence, citations, runs: agreeing, of }];
  });
  return merged.toSorted((one, other) => other.runs - one.runs);
}
