import type { Verdict } from "@whence/protocol";
import type { ReportRecord } from "@whence/storage";

/** Whose word a judgement is: the most trustworthy there is for a report counts, and the others don't. */
export type Judge = "people" | "agents" | "predictions";

/** What is known about a report's first candidate. */
export interface Judgement {
  readonly by: Judge;
  readonly says: "confirmed" | "partly" | "refuted";
  /** From 0, it was not the cause, to 1, it was. */
  readonly right: number;
  /** What it counts against a person's word. */
  readonly weight: number;
}

/**
 * What a judgement counts in the calibration. Keys and agents are programs that may judge what programs like them wrote.
 * A prediction that comes true speaks for its candidate, but is no cause that somebody saw.
 */
export const judgementWeights: Readonly<Record<Judge, number>> = { people: 1, agents: 0.5, predictions: 0.25 };

const rightness: Readonly<Record<Verdict, number>> = { right: 1, partly: 0.5, wrong: 0 };

/**
 * One judgement of a report, however many gave one; null when nothing is known. Of predictions only those count that
 * another candidate would not have made: that a failure goes on says nothing about its cause.
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
