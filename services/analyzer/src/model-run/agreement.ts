import { keyOfProposed, type ModelFinding } from "@whence/engine";
import type { Proposed } from "./proposal.ts";

const citationsMax = 8;

/** What one of the independent runs proposes, the most likely cause first. */
export interface RunProposal {
  /** Null for a run that gave no answer, which agrees with nothing. */
  readonly proposed: readonly Proposed[] | null;
  /** Whether the run wasn't shown the engine's report. */
  readonly isBlind: boolean;
}

/**
 * Merges what independent runs propose: one finding for each thing and stance, with the quotes of all runs that name it,
 * their number, and how many of them name it first.
 */
export function agreed(model: string, runs: readonly RunProposal[]): ModelFinding[] {
  const said = runs.flatMap(({ proposed, isBlind }, run) =>
    (proposed ?? []).map((one, index, all) => {
      const isFirst = index === all.findIndex(({ stance }) => stance === "supports");
      return { ...one, run, isFirst, isBlind };
    }),
  );
  const same = Map.groupBy(said, ({ subject, stance }) => `${stance} ${keyOfProposed(subject)}`);
  const merged = [...same.values()].flatMap((alike): ModelFinding[] => {
    const [one] = alike;
    if (!one) return [];
    const { subject, category, stance, sentence } = one;
    const quotes = alike.flatMap(({ citations }) => citations).map((each) => [JSON.stringify(each), each] as const);
    const citations = [...new Map(quotes).values()].slice(0, citationsMax);
    const firsts = alike.filter(({ isFirst }) => isFirst);
    const first = { runs: runsOf(firsts), blind: runsOf(firsts.filter(({ isBlind }) => isBlind)) };
    return [{ model, subject, category, stance, sentence, citations, runs: runsOf(alike), of: runs.length, first }];
  });
  return merged.toSorted((one, other) => other.runs - one.runs);
}

function runsOf(said: readonly { readonly run: number }[]): number {
  return new Set(said.map(({ run }) => run)).size;
}
