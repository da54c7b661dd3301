import {
  isSecretInput,
  type ModelChange,
  type ModelProvider,
  type ModelSettings,
  modelBudgetSchema,
  modelPricesSchema,
  modelProviderNames,
  modelProviders,
} from "@whence/protocol";
import type { Kysely, Selectable } from "kysely";
import { z } from "zod";
import { inSnapshot, inTransaction } from "../databases/in-transaction.ts";
import type { SecretRepository } from "../settings/secret-db.ts";
import type { ControlTables } from "../tables.ts";
import type { ModelRepository, ModelStore } from "./model-db.ts";
import { modelRuns } from "./model-runs.ts";
import type { ModelSettingsTable } from "./model-tables.ts";

const secretName = "model";
const valuesSchema = z.record(z.string(), z.string());

/** The model of one scope; its credentials are among the scope's secrets. */
export function modelRepository(
  db: Kysely<ControlTables>,
  secretsOn: (db: Kysely<ControlTables>) => SecretRepository,
  scopeId: string,
): ModelRepository {
  return {
    // In between, a change could bring together a key and the provider or address of before.
    read: () =>
      inSnapshot(db, async (snapshot) => {
        const ofScope = snapshot.selectFrom("model_settings").selectAll().where("scope_id", "=", scopeId);
        const stored = await ofScope.executeTakeFirst();
        const secret = stored && (await secretsOn(snapshot).get(secretName));
        if (!stored || secret === undefined || secret === null) return null;
        const credentials = parseValues(secret);
        return {
          settings: toSettings(stored, credentials),
          inputs: { ...parseValues(stored.inputs_json), ...credentials },
        };
      }),
    write: (change, by, now) =>
      inTransaction(db, async (transaction) => {
        const [shown, credentials] = splitInputs(change);
        const written = {
          provider: change.provider,
          name: change.name,
          inputs_json: JSON.stringify(shown),
          prices_json: change.prices && JSON.stringify(change.prices),
          budget_json: JSON.stringify(change.budget),
          changed_at: now.toISOString(),
          user_id: by.id,
          user_name: by.name,
        };
        const stored = await transaction
          .insertInto("model_settings")
          .values({ scope_id: scopeId, ...written })
          .onConflict((conflict) => conflict.column("scope_id").doUpdateSet(written))
          .returningAll()
          .executeTakeFirstOrThrow();
        await secretsOn(transaction).put(secretName, JSON.stringify(credentials), now);
        return toSettings(stored, credentials);
      }),
    remove: () =>
      inTransaction(db, async (transaction) => {
        const removal = transaction.deleteFrom("model_settings").where("scope_id", "=", scopeId).returning("name");
        const removed = await removal.executeTakeFirst();
        await secretsOn(transaction).remove(secretName);
        return removed?.name ?? null;
      }),
    async refusal() {
      const refused = db.selectFrom("model_refusal").selectAll().where("scope_id", "=", scopeId);
      const row = await refused.executeTakeFirst();
      return row ? { at: row.refused_at, by: { id: row.user_id, name: row.user_name } } : null;
    },
    async refuse({ id, name }, now) {
      await db
        .insertInto("model_refusal")
        .values({ scope_id: scopeId, refused_at: now.toISOString(), user_id: id, user_name: name })
        .onConflict((conflict) => conflict.column("scope_id").doNothing())
        .execute();
    },
    async accept() {
      await db.deleteFrom("model_refusal").where("scope_id", "=", scopeId).execute();
    },
    ...modelRuns(db, scopeId),
  };
}

/** {@link ModelStore}. */
export function modelPromptDirectory(db: Kysely<ControlTables>): ModelStore["modelPrompts"] {
  return {
    async expire(sentBefore, max) {
      const expired = await db
        .selectFrom("model_prompt")
        .select(["run_id", "position"])
        .where("sent_at", "<", sentBefore.toISOString())
        .limit(max)
        .execute();
      for (const { run_id, position } of expired) {
        await db.deleteFrom("model_prompt").where("run_id", "=", run_id).where("position", "=", position).execute();
      }
      return expired.length;
    },
  };
}

/** Returns the inputs that may be shown, and the credentials. */
function splitInputs({ provider, inputs }: ModelChange): readonly [Record<string, string>, Record<string, string>] {
  const { inputs: asked }: ModelProvider = modelProviders[provider];
  const secret = asked.filter(isSecretInput).map(({ name }) => name);
  const entries = Object.entries(inputs);
  return [
    Object.fromEntries(entries.filter(([name]) => !secret.includes(name))),
    Object.fromEntries(entries.filter(([name]) => secret.includes(name))),
  ];
}

function parseValues(json: string): Record<string, string> {
  return valuesSchema.parse(JSON.parse(json));
}

function toSettings(row: Selectable<ModelSettingsTable>, credentials: Readonly<Record<string, string>>): ModelSettings {
  return {
    provider: z.enum(modelProviderNames).parse(row.provider),
    name: row.name,
    inputs: parseValues(row.inputs_json),
    credentials: Object.keys(credentials),
    prices: row.prices_json === null ? null : modelPricesSchema.parse(JSON.parse(row.prices_json)),
    budget: modelBudgetSchema.parse(JSON.parse(row.budget_json)),
    changed_at: row.changed_at,
    changed_by: { id: row.user_id, name: row.user_name },
  };
}
