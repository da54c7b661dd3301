import {
  type BandHistory,
  bandIndexOf,
  type ConfidenceBand,
  confidenceBands,
  type OrganizationHistory,
} from "@whence/engine";
import type { FeedbackRepository, ReportRecord } from "@whence/storage";
import { type Judgement, judgeAll } from "./judgement.ts";

/** How many of the newest judged reports a history uses: older ones come from an older engine. */
const recordsMax = 500;

/** The current history of one scope. */
export async function readHistory(feedback: Pick<FeedbackRepository, "records">): Promise<OrganizationHistory> {
  return historyOf(await feedback.records({ limit: recordsMax, judged: true }));
}

/**
 * The history of the reports that the model ranked, by the model's confidence before any history was applied: otherwise each
 * correction would move the reports it was learned from into other bands.
 */
export function historyOf(records: readonly ReportRecord[]): OrganizationHistory {
  const modelled = records.filter(({ isOfExit }) => !isOfExit);
  const judgements = judgeAll(modelled);
  const judged = modelled.flatMap(({ modelScore }, index) => {
    const judgement = judgements[index];
    return judgement ? [{ band: bandIndexOf(modelScore), judgement }] : [];
  });
  return confidenceBands.map((band, index) =>
    bandHistory(
      band,
      judged.flatMap((one) => (one.band === index ? [one.judgement] : [])),
    ),
  );
}

function bandHistory(band: ConfidenceBand, judgements: readonly Judgement[]): BandHistory {
  const sum = (of: (judgement: Judgement) => number): number =>
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
