import { authorKinds, categorySchema, verdicts } from "@whence/protocol";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { ReportRecord } from "../accuracy/accuracy-db.ts";
import type { ControlTables } from "../tables.ts";
import { outcomeOf } from "./report-account.ts";

const authorSchema = z.enum(authorKinds);
const verdictSchema = z.enum(verdicts);

/** The reports of a scope, newest first, with what became of each. */
export async function readRecords(
  db: Kysely<ControlTables>,
  scopeId: string,
  { limit, judged }: { readonly limit: number; readonly judged: boolean },
): Promise<ReportRecord[]> {
  const reports = await readScores(db, scopeId, limit, judged);
  const oldest = reports.at(-1);
  if (!oldest) return [];
  const [given, predicted] = await Promise.all([
    readVerdicts(db, scopeId, oldest.incident_id),
    readOutcomes(db, scopeId, oldest.incident_id),
  ]);
  const verdictsOf = Map.groupBy(given, ({ incident_id: id }) => id);
  const predictionsOf = Map.groupBy(predicted, ({ incident_id: id }) => id);
  return reports.map((report) => ({
    incidentId: report.incident_id,
    category: categorySchema.parse(report.category),
    score: report.score,
    modelScore: report.model_score,
    isOfExit: report.input_kind === "process-exit",
    completedAt: report.completed_at,
    verdicts: latest(verdictsOf.get(report.incident_id) ?? []),
    predictions: (predictionsOf.get(report.incident_id) ?? []).map(
      ({ is_discriminating: isDiscriminating, state }) => ({
        isDiscriminating: isDiscriminating === 1,
        outcome: outcomeOf(state),
      }),
    ),
  }));
}

function readScores(db: Kysely<ControlTables>, scopeId: string, limit: number, judged: boolean) {
  const reports = db
    .selectFrom("incident")
    .innerJoin("report_score", "report_score.incident_id", "incident.id")
    .leftJoin("incident_input", "incident_input.incident_id", "incident.id")
    .selectAll("report_score")
    .select("incident_input.kind as input_kind")
    .where("incident.scope_id", "=", scopeId)
    .orderBy("incident.id", "desc")
    .limit(limit);
  if (!judged) return reports.execute();
  return reports
    .where((where) =>
      where.or([
        where.exists(
          where
            .selectFrom("verdict")
            .select("verdict.revision")
            .whereRef("verdict.incident_id", "=", "report_score.incident_id")
            .whereRef("verdict.attempt", "=", "report_score.attempt")
            .where("verdict.is_own", "=", 0),
        ),
        where.exists(
          where
            .selectFrom("prediction")
            .select("prediction.position")
            .whereRef("prediction.incident_id", "=", "report_score.incident_id")
            .where("prediction.is_discriminating", "=", 1)
            .where("prediction.state", "in", ["upheld", "refuted"]),
        ),
      ]),
    )
    .execute();
}

/** Those about the present reports that count, the earliest first. */
function readVerdicts(db: Kysely<ControlTables>, scopeId: string, oldestId: string) {
  return db
    .selectFrom("verdict")
    .innerJoin("incident", "incident.id", "verdict.incident_id")
    .innerJoin("report_score", "report_score.incident_id", "verdict.incident_id")
    .select(["verdict.incident_id", "verdict.author_kind", "verdict.author_id", "verdict.verdict"])
    .where("incident.scope_id", "=", scopeId)
    .where("incident.id", ">=", oldestId)
    .whereRef("verdict.attempt", "=", "report_score.attempt")
    .where("verdict.is_own", "=", 0)
    .orderBy("verdict.revision")
    .execute();
}

function readOutcomes(db: Kysely<ControlTables>, scopeId: string, oldestId: string) {
  return db
    .selectFrom("prediction")
    .innerJoin("incident", "incident.id", "prediction.incident_id")
    .select(["prediction.incident_id", "prediction.is_discriminating", "prediction.state"])
    .where("incident.scope_id", "=", scopeId)
    .where("incident.id", ">=", oldestId)
    .orderBy("prediction.position")
    .execute();
}

/** Each author's latest verdict. */
function latest(given: Awaited<ReturnType<typeof readVerdicts>>): ReportRecord["verdicts"] {
  const words = new Map(given.map((row) => [`${row.author_kind} ${row.author_id}`, row]));
  return [...words.values()].map((row) => ({
    author: { kind: authorSchema.parse(row.author_kind), id: row.author_id },
    verdict: verdictSchema.parse(row.verdict),
  }));
}
