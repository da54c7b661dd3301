import { minuteMs, watchSchema } from "@whence/protocol";
import { type Kysely, sql } from "kysely";
import type { ControlTables } from "../tables.ts";
import type { PredictionDirectory, TakeBounds, TakenPrediction } from "./accuracy-db.ts";
import type { PredictionTable } from "./accuracy-tables.ts";

/** Predictions of all scopes. */
export function predictionDirectory(db: Kysely<ControlTables>): PredictionDirectory {
  return {
    async take(now, bounds) {
      const taken: TakenPrediction[] = [];
      for (const prediction of await waiting(db, now, bounds)) {
        const isOurs = await change(db, prediction, prediction.look - 1, {
          looks: prediction.look,
          looked_at: now.toISOString(),
          next_look_at: new Date(now.getTime() + bounds.holdMs).toISOString(),
        });
        if (isOurs) taken.push(prediction);
      }
      return taken;
    },
    settle: (taken, { state, result }) => change(db, taken, taken.look, { state, result_json: JSON.stringify(result) }),
    postpone: (taken, nextLookAt) => change(db, taken, taken.look, { next_look_at: nextLookAt.toISOString() }),
  };
}

/** Changes an open prediction whose latest check is this one. */
async function change(
  db: Kysely<ControlTables>,
  { incidentId, position }: Pick<TakenPrediction, "incidentId" | "position">,
  look: number,
  values: Partial<PredictionTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("prediction")
    .set(values)
    .where("incident_id", "=", incidentId)
    .where("position", "=", position)
    .where("state", "=", "open")
    .where("looks", "=", look)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Reads the rows that are due. Concurrent processes may read the same ones: each row goes to the first to update it.
 */
async function waiting(db: Kysely<ControlTables>, now: Date, { perScopeMax, max }: TakeBounds) {
  const minuteAgo = new Date(now.getTime() - minuteMs).toISOString();
  const lately = db
    .selectFrom("prediction")
    .innerJoin("incident", "incident.id", "prediction.incident_id")
    .select(({ fn }) => ["incident.scope_id", fn.countAll<number>().as("looks")])
    .where("prediction.looked_at", ">", minuteAgo)
    .groupBy("incident.scope_id");
  const due = db
    .selectFrom("prediction")
    .innerJoin("incident", "incident.id", "prediction.incident_id")
    .leftJoin(lately.as("lately"), "lately.scope_id", "incident.scope_id")
    .selectAll("prediction")
    .select([
      "incident.scope_id",
      sql<number>`coalesce(lately.looks, 0)`.as("looked"),
      sql<number>`row_number() over (partition by incident.scope_id
        order by prediction.next_look_at, prediction.incident_id, prediction.position)`.as("place"),
    ])
    .where("prediction.state", "=", "open")
    .where("prediction.next_look_at", "<=", now.toISOString());
  const rows = await db
    .selectFrom(due.as("due"))
    .select(["scope_id", "incident_id", "position", "watch_json", "due", "looks"])
    .where(sql<boolean>`place + looked <= ${perScopeMax}`)
    .orderBy("place")
    .orderBy("next_look_at")
    .limit(max)
    .execute();
  return rows.map(
    (row): TakenPrediction => ({
      scopeId: row.scope_id,
      incidentId: row.incident_id,
      position: row.position,
      due: row.due,
      watch: watchSchema.parse(JSON.parse(row.watch_json)),
      look: row.looks + 1,
    }),
  );
}
