import type { Verdict } from "@whence/protocol";
import type { ReportRecord } from "@whence/storage";

/** The source of a judgement: only the most trustworthy one of a report counts. */
export type Judge = "people" | "agents" | "predictions";

/** What is known about a report's first candidate. */
export interface Judgement {
  readonly by: Judge;
  readonly says: "confirmed" | "partly" | "refuted";
  /** From 0 (it wasn't the cause) to 1 (it was). */
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
 * Combines the judgements of a report into one; null when there are none. Only predictions that another candidate wouldn't
 * have made count: a failure that continues says nothing about its cause.
 */
export function judge({ verdicts, predictions }: ReportRecord): Judgement | null {
  const people = verdicts.filter(({ author }) => author === "member");
  if (people.length > 0) return judgement("people", people.map(rightnessOf));
  if (verdicts.length > 0) return judgement("agents", verdicts.map(rightnessOf));
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

function judgement(by: Judge, opinions: readonly number[]): Judgement {
  const right = opinions.reduce((sum, opinion) => sum + opinion, 0) / opinions.length;
  const says = right > rightness.partly ? "confirmed" : right < rightness.partly ? "refuted" : "partly";
  return { by, says, right, weight: judgementWeights[by] };
}
