import type { ModelRun } from "@whence/protocol";
import type { Kysely, Selectable, Transaction } from "kysely";
import { z } from "zod";
import { inTransaction } from "../databases/in-transaction.ts";
import { newId } from "../ids.ts";
import type { ControlTables } from "../tables.ts";
import type { ModelCheckUse, ModelRepository, NewModelRun } from "./model-db.ts";
import type { ModelRunTable } from "./model-tables.ts";

/** Characters of a prompt, and of all prompts of one record, that are kept. */
export const keptPromptBounds = { lengthMax: 200_000, totalLengthMax: 2_000_000 } as const;

const dayLength = "2026-03-01".length;
const replacedSchema = z.record(z.string(), z.number());

type Runs = Pick<ModelRepository, "record" | "recordCheck" | "usage" | "runs" | "prompts">;

/** What the models of one scope used, and what was sent to them. */
export function modelRuns(db: Kysely<ControlTables>, scopeId: string): Runs {
  const ofScope = () => db.selectFrom("model_run").selectAll().where("scope_id", "=", scopeId);
  return {
    record: (run) =>
      inTransaction(db, async (transaction) => {
        await addUsage(transaction, scopeId, run, run.purpose === "investigation" ? 1 : 0);
        const isThere = await transaction
          .selectFrom("incident")
          .select("id")
          .where("id", "=", run.incident_id)
          .where("scope_id", "=", scopeId)
          .executeTakeFirst();
        if (isThere) await addRun(transaction, scopeId, run);
      }),
    recordCheck: (used) => addUsage(db, scopeId, used, 0),
    async usage(fromDay) {
      const sums = await db
        .selectFrom("model_usage")
        .select(({ fn }) => [
          fn.sum("investigations").as("investigations"),
          fn.sum("input_tokens").as("input_tokens"),
          fn.sum("output_tokens").as("output_tokens"),
          fn.sum("cost_usd").as("cost_usd"),
          fn.sum("unpriced").as("unpriced"),
        ])
        .where("scope_id", "=", scopeId)
        .where("day", ">=", fromDay)
        .executeTakeFirstOrThrow();
      return {
        investigations: Number(sums.investigations),
        input_tokens: Number(sums.input_tokens),
        output_tokens: Number(sums.output_tokens),
        cost_usd: Number(sums.unpriced) > 0 ? null : Number(sums.cost_usd),
        known_cost_usd: Number(sums.cost_usd),
      };
    },
    async runs({ incidentId, limit }) {
      const found = incidentId === null ? ofScope() : ofScope().where("incident_id", "=", incidentId);
      return (await found.orderBy("id", "desc").limit(limit).execute()).map(toRun);
    },
    async prompts(runId) {
      if (!(await ofScope().where("id", "=", runId).executeTakeFirst())) return null;
      const rows = await db
        .selectFrom("model_prompt")
        .select(["sent_at", "text", "is_cut"])
        .where("run_id", "=", runId)
        .where("scope_id", "=", scopeId)
        .orderBy("position")
        .execute();
      return rows.map(({ sent_at, text, is_cut }) => ({ sent_at, text, is_cut: is_cut === 1 }));
    },
  };
}

async function addUsage(
  db: Kysely<ControlTables>,
  scopeId: string,
  used: ModelCheckUse,
  investigations: number,
): Promise<void> {
  const day = used.started_at.slice(0, dayLength);
  await db
    .insertInto("model_usage")
    .values({
      scope_id: scopeId,
      day,
      investigations,
      input_tokens: used.input_tokens,
      output_tokens: used.output_tokens,
      cost_usd: used.cost_usd ?? 0,
      unpriced: used.cost_usd === null ? 1 : 0,
    })
    .onConflict((conflict) =>
      conflict.columns(["scope_id", "day"]).doUpdateSet((set) => ({
        investigations: set("model_usage.investigations", "+", set.ref("excluded.investigations")),
        input_tokens: set("model_usage.input_tokens", "+", set.ref("excluded.input_tokens")),
        output_tokens: set("model_usage.output_tokens", "+", set.ref("excluded.output_tokens")),
        cost_usd: set("model_usage.cost_usd", "+", set.ref("excluded.cost_usd")),
        unpriced: set("model_usage.unpriced", "+", set.ref("excluded.unpriced")),
      })),
    )
    .execute();
}

async function addRun(db: Transaction<ControlTables>, scopeId: string, run: NewModelRun): Promise<void> {
  const { prompts, replaced, ...columns } = run;
  const id = newId("mrn_");
  const kept = keptPrompts(prompts);
  const prompts_omitted = prompts.length - kept.length;
  await db
    .insertInto("model_run")
    .values({ ...columns, id, scope_id: scopeId, replaced_json: JSON.stringify(replaced), prompts_omitted })
    .execute();
  for (const [position, { text, sent_at, is_cut }] of kept.entries()) {
    await db
      .insertInto("model_prompt")
      .values({ run_id: id, position, scope_id: scopeId, sent_at, text, is_cut })
      .execute();
  }
}

function keptPrompts(prompts: NewModelRun["prompts"]) {
  let room: number = keptPromptBounds.totalLengthMax;
  return prompts.flatMap(({ sent_at, text }) => {
    const kept = text.slice(0, Math.min(room, keptPromptBounds.lengthMax));
    room -= kept.length;
    return kept === "" ? [] : [{ sent_at, text: kept, is_cut: kept.length < text.length ? 1 : 0 }];
  });
}

function toRun(row: Selectable<ModelRunTable>): ModelRun {
  const { scope_id: _, replaced_json, ...run } = row;
  return {
    ...run,
    input_tokens: Number(run.input_tokens),
    output_tokens: Number(run.output_tokens),
    duration_ms: Number(run.duration_ms),
    replaced: replacedSchema.parse(JSON.parse(replaced_json)),
  };
}
