import type { ModelFinding, ProposedSubject } from "@whence/engine";
import type { Proposed } from "./proposal.ts";

const citationsMax = 8;

/**
 * Merges what independent runs propose: one finding for each thing and stance, with the quotes of all runs that name it
 * and their number. A run that gave no answer agrees with nothing.
 */
export function agreed(model: string, runs: readonly (readonly Proposed[])[], of: number): ModelFinding[] {
  const said = runs.flatMap((proposed, run) => proposed.map((one) => ({ ...one, run })));
  const same = Map.groupBy(said, ({ subject, stance }) => `${stance} ${keyOf(subject)}`);
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

/** What makes two proposals the same: of places, the file, as in the ranking. */
function keyOf(subject: ProposedSubject): string {
  switch (subject.kind) {
    case "place":
      return `place ${subject.file}`;
    case "service":
      return `service ${subject.service}`;
    case "release":
      return `release ${subject.service} ${subject.release}`;
    case "setting":
      return `setting ${subject.name}`;
  }
}
