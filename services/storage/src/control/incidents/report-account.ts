import { type Prediction, predictionResultSchema, type Report } from "@whence/protocol";
import type { Kysely, Transaction } from "kysely";
import type { ControlTables } from "../tables.ts";

/** Stores a new report's confidence and predictions, replacing those of the incident's earlier report. */
export async function writeReportAccount(
  transaction: Transaction<ControlTables>,
  { id, attempt }: { readonly id: string; readonly attempt: number },
  report: Report,
  now: Date,
): Promise<void> {
  const { score, model_score: modelScore = score } = report.confidence;
  const values = {
    attempt,
    category: report.root_cause.category,
    score,
    model_score: modelScore,
    completed_at: now.toISOString(),
  };
  await transaction
    .insertInto("report_score")
    .values({ incident_id: id, ...values })
    .onConflict((conflict) => conflict.column("incident_id").doUpdateSet(values))
    .execute();
  await transaction.deleteFrom("prediction").where("incident_id", "=", id).execute();
  for (const [position, prediction] of report.predictions.entries()) {
    await writePrediction(transaction, id, position, prediction, now);
  }
}

async function writePrediction(
  transaction: Transaction<ControlTables>,
  id: string,
  position: number,
  { watch, due, tells_apart_from: rival }: Prediction,
  now: Date,
): Promise<void> {
  if (!watch || due === null) return;
  await transaction
    .insertInto("prediction")
    .values({
      incident_id: id,
      position,
      is_discriminating: rival === undefined ? 0 : 1,
      watch_json: JSON.stringify(watch),
      due,
      state: "open",
      looks: 0,
      looked_at: null,
      next_look_at: now.toISOString(),
      result_json: null,
    })
    .execute();
}

/** The report's predictions with what became of them. */
export async function readPredictions(
  db: Kysely<ControlTables>,
  incidentId: string,
  predictions: readonly Prediction[],
): Promise<Prediction[]> {
  const rows = await db
    .selectFrom("prediction")
    .select(["position", "state", "result_json"])
    .where("incident_id", "=", incidentId)
    .where("result_json", "is not", null)
    .execute();
  const settled = new Map(rows.map((row) => [row.position, row]));
  return predictions.map((prediction, position) => {
    const row = settled.get(position);
    if (!row || row.result_json === null) return prediction;
    const outcome = outcomeOf(row.state);
    return { ...prediction, outcome, result: predictionResultSchema.parse(JSON.parse(row.result_json)) };
  });
}

/** The outcome that a report shows: `undecided` stays `open`, with its result. */
export function outcomeOf(state: string): Prediction["outcome"] {
  return state === "upheld" || state === "refuted" ? state : "open";
}
