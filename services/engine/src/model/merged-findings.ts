import { keyOfProposed, type ModelFinding } from "../signals/facts/model-finding.ts";

const citationsMax = 8;

/** Merges findings about the same thing, which a model may have named in several ways. None counts more than once. */
export function mergedFindings(findings: readonly ModelFinding[]): ModelFinding[] {
  const same = Map.groupBy(findings, ({ stance, subject }) => `${stance} ${keyOfProposed(subject)}`);
  return [...same.values()].flatMap((alike) => {
    const [first] = alike.toSorted((one, other) => other.runs - one.runs);
    if (!first) return [];
    const quotes = alike.flatMap(({ citations }) => citations.map((one) => [JSON.stringify(one), one] as const));
    return [{ ...first, citations: [...new Map(quotes).values()].slice(0, citationsMax) }];
  });
}
