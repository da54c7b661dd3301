import {
  type BandHistory,
  bandIndexOf,
  type ConfidenceBand,
  confidenceBands,
  type OrganizationHistory,
} from "@whence/engine";
import type { FeedbackRepository, ReportRecord } from "@whence/storage";
import { judge } from "./judgement.ts";

/** The newest judged reports that a history is made from: older ones are of an older engine. */
const recordsMax = 500;

/** The history of one scope as it is now. */
export async function readHistory(feedback: Pick<FeedbackRepository, "records">): Promise<OrganizationHistory> {
  return historyOf(await feedback.records({ limit: recordsMax, judged: true }));
}

/**
 * The history of reports that the model was asked about, by the confidence that the model gave before any history counted: otherwise each correction would move
 * the reports that it was learnt from into other bands.
 */
export function historyOf(records: readonly ReportRecord[]): OrganizationHistory {
  const modelled = records.filter(({ isOfExit }) => !isOfExit);
  const inBands = Map.groupBy(modelled, ({ modelScore }) => bandIndexOf(modelScore));
  return confidenceBands.map((band, index) => bandHistory(band, inBands.get(index) ?? []));
}

function bandHistory(band: ConfidenceBand, records: readonly ReportRecord[]): BandHistory {
  const judgements = records.map(judge).filter((judgement) => judgement !== null);
  const sum = (of: (judgement: (typeof judgements)[number]) => number): number =>
    judgements.reduce((total, judgement) => total + of(judgement), 0);
  return {
    ...band,
    judged: judgements.length,
    confirmed: sum(({ says }) => (says === "confirmed" ? 1 : 0)),
    partly: sum(({ says }) => (says === "partly" ? 1 : 0)),
    refuted: sum(({ says }) => (says === "refuted" ? 1 : 0)),
    byPeople: sum(({ by }) => (by === "predictions" ? 0 : 1)),
    weight: sum(({ weight }) => weight),
    confirmedWeight: sum(({ weight, right }) => weight * right),
  };
}
