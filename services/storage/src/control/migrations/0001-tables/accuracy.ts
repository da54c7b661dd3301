import type { Kysely } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { keyOfIncident, ofIncident, required } from "../columns.ts";

/**
 * The confidence of reports, their predictions, and feedback. Rows belong to the owner of their incident: they move
 * with it when it is claimed, and are deleted with it.
 */
export async function createAccuracy(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createScores(db, types);
  await createPredictions(db, types);
  await createVerdicts(db, types);
}

async function createScores(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("report_score")
    .addColumn("incident_id", text, keyOfIncident)
    .addColumn("attempt", "integer", required)
    .addColumn("category", text, required)
    .addColumn("score", "double precision", required)
    .addColumn("model_score", "double precision", required)
    .addColumn("completed_at", text, required)
    .execute();
}

async function createPredictions(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("prediction")
    .addColumn("incident_id", text, ofIncident)
    .addColumn("position", "integer", required)
    .addColumn("is_discriminating", "integer", required)
    .addColumn("watch_json", text, required)
    .addColumn("due", text, required)
    .addColumn("state", text, required)
    .addColumn("looks", "integer", required)
    .addColumn("looked_at", text)
    .addColumn("next_look_at", text, required)
    .addColumn("result_json", text)
    .addPrimaryKeyConstraint("prediction_pk", ["incident_id", "position"])
    .execute();
  await db.schema.createIndex("prediction_look_idx").on("prediction").columns(["state", "next_look_at"]).execute();
  await db.schema.createIndex("prediction_looked_idx").on("prediction").column("looked_at").execute();
}

async function createVerdicts(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("verdict")
    .addColumn("incident_id", text, ofIncident)
    .addColumn("author_kind", text, required)
    .addColumn("author_id", text, required)
    .addColumn("revision", "integer", required)
    .addColumn("attempt", "integer", required)
    .addColumn("verdict", text, required)
    .addColumn("reason", text)
    .addColumn("actual_cause_json", text)
    .addColumn("given_at", text, required)
    .addColumn("is_own", "integer", required)
    .addPrimaryKeyConstraint("verdict_pk", ["incident_id", "author_kind", "author_id", "revision"])
    .execute();
}
