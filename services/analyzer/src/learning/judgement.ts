import type { Verdict } from "@whence/protocol";
import type { ReportRecord } from "@whence/storage";

/** The source of a judgement: only the most trustworthy one of a report counts. */
export type Judge = "people" | "agents" | "predictions";

/** What is known about a report's first candidate. */
export interface Judgement {
  readonly by: Judge;
  readonly says: "confirmed" | "partly" | "refuted";
  /** From 0, not the cause, to 1, the cause. */
  readonly right: number;
  /** Its weight relative to a person's judgement. */
  readonly weight: number;
}

/**
 * The weight of a judgement in the calibration. Keys and agents are programs, which may judge the work of similar programs. A
 * prediction that came true supports its candidate, but isn't an observed cause.
 */
export const judgementWeights: Readonly<Record<Judge, number>> = { people: 1, agents: 0.5, predictions: 0.25 };

const rightness: Readonly<Record<Verdict, number>> = { right: 1, partly: 0.5, wrong: 0 };

/**
 * The total weight of one key's or agent's verdicts: that of two people's. The more verdicts it gives, the less each
 * weighs, so that a program that rates everything can't dominate an organization's confidence.
 */
export const programWeightMax = 2;

/** Returns the judgment of each report, in their order. */
export function judgeAll(records: readonly ReportRecord[]): (Judgement | null)[] {
  const given = new Map<string, number>();
  for (const { author } of records.flatMap(({ verdicts }) => verdicts))
    given.set(author.id, (given.get(author.id) ?? 0) + 1);
  return records.map((record) =>
    judge(record, (id) => Math.min(judgementWeights.agents, programWeightMax / (given.get(id) ?? 1))),
  );
}

/**
 * Combines the judgements of a report into one; null when there are none. Only predictions that another candidate wouldn't
 * have made count: a failure that continues says nothing about its cause.
 */
function judge({ verdicts, predictions }: ReportRecord, weightOf: (programId: string) => number): Judgement | null {
  const people = verdicts.filter(({ author }) => author.kind === "member");
  if (people.length > 0) return judgement("people", people.map(rightnessOf));
  if (verdicts.length > 0) {
    const weights = verdicts.map(({ author }) => weightOf(author.id));
    return judgement("agents", verdicts.map(rightnessOf), weights);
  }
  const telling = predictions.filter(({ isDiscriminating }) => isDiscriminating);
  const settled = telling.filter(({ outcome }) => outcome !== "open");
  if (settled.length === 0) return null;
  return judgement(
    "predictions",
    settled.map(({ outcome }) => (outcome === "upheld" ? 1 : 0)),
  );
}

function rightnessOf({ verdict }: ReportRecord["verdicts"][number]): number {
  return rightness[verdict];
}

/** The weighted mean of opinions, with the weight of one opinion, because a report counts once. */
function judgement(
  by: Judge,
  opinions: readonly number[],
  weights: readonly number[] = opinions.map(() => judgementWeights[by]),
): Judgement {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const right = opinions.reduce((sum, opinion, index) => sum + opinion * (weights[index] ?? 0), 0) / total;
  const says = right > rightness.partly ? "confirmed" : right < rightness.partly ? "refuted" : "partly";
  return { by, says, right, weight: total / opinions.length };
}
