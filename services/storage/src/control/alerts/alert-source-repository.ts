import { type Insertable, type Kysely, type Selectable, sql } from "kysely";
import { z } from "zod";
import { inTransaction } from "../databases/in-transaction.ts";
import { newId } from "../ids.ts";
import type { SecretRepository } from "../settings/secret-db.ts";
import type { ControlTables } from "../tables.ts";
import type { AlertSourceDirectory, AlertSourceRepository, KnownAlertSource, StoredAlertSource } from "./alert-db.ts";
import type { AlertSourceTable } from "./alert-tables.ts";

const valuesSchema = z.record(z.string(), z.string());
const namesSchema = z.array(z.string());

/** The secrets of a scope, on a connection or in a transaction. */
type SecretsOf = (db: Kysely<ControlTables>, scopeId: string) => SecretRepository;

/** The alert sources of one scope. */
export function alertSourceRepository(
  db: Kysely<ControlTables>,
  secretsOf: SecretsOf,
  scopeId: string,
): AlertSourceRepository {
  const rows = () => db.selectFrom("alert_source").selectAll().where("scope_id", "=", scopeId);
  const find = async (id: string): Promise<StoredAlertSource | null> => {
    const row = await rows().where("id", "=", id).executeTakeFirst();
    return row ? toAlertSource(row) : null;
  };
  return {
    find,
    async list() {
      return (await rows().orderBy("id").execute()).map(toAlertSource);
    },
    async add(source) {
      const row = newRow(scopeId, source);
      return inTransaction(db, async (transaction) => {
        await secretsOf(transaction, scopeId).put(secretName(row.id), JSON.stringify(source.secrets), source.now);
        const added = await transaction.insertInto("alert_source").values(row).returningAll().executeTakeFirstOrThrow();
        return toAlertSource(added);
      });
    },
    async enter(id, { inputs, secrets, now }) {
      return inTransaction(db, async (transaction) => {
        const row = await transaction
          .updateTable("alert_source")
          .set(columnsOf(inputs, secrets))
          .where("scope_id", "=", scopeId)
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirst();
        if (!row) return null;
        await secretsOf(transaction, scopeId).put(secretName(id), JSON.stringify(secrets), now);
        return toAlertSource(row);
      });
    },
    answerPublicly: (id, answersPublicly) => answerPublicly(db, { scopeId, id }, answersPublicly),
    async note(id, outcome, now) {
      const at = now.toISOString();
      const isHandled = "alerts" in outcome;
      await db
        .updateTable("alert_source")
        .set(isHandled ? { received_at: at } : { failed_at: at, failure: outcome.failure })
        .set("alerts", sql`alerts + ${isHandled ? outcome.alerts : 0}`)
        .where("scope_id", "=", scopeId)
        .where("id", "=", id)
        .execute();
    },
    async forgetSecrets(id, keptNames, reason, now) {
      if ((await find(id)) === null) return;
      await inTransaction(db, async (transaction) => {
        const secrets = secretsOf(transaction, scopeId);
        const held = Object.entries(parseValues((await secrets.get(secretName(id))) ?? "{}"));
        const kept = Object.fromEntries(held.filter(([name]) => keptNames.includes(name)));
        await secrets.put(secretName(id), JSON.stringify(kept), now);
        await transaction
          .updateTable("alert_source")
          .set({ secrets_json: JSON.stringify(Object.keys(kept)), failed_at: now.toISOString(), failure: reason })
          .where("scope_id", "=", scopeId)
          .where("id", "=", id)
          .execute();
      });
    },
    async remove(id) {
      const found = await find(id);
      if (!found) return null;
      await inTransaction(db, async (transaction) => {
        await transaction.deleteFrom("alert_source").where("scope_id", "=", scopeId).where("id", "=", id).execute();
        for (const table of ["alert", "deployment"] as const) {
          await transaction.deleteFrom(table).where("scope_id", "=", scopeId).where("source_id", "=", id).execute();
        }
        await secretsOf(transaction, scopeId).remove(secretName(id));
      });
      return found;
    },
  };
}

function newRow(
  scopeId: string,
  { kind, name, inputs, secrets, by, now }: Parameters<AlertSourceRepository["add"]>[0],
): Insertable<AlertSourceTable> {
  return {
    id: newId("als_"),
    scope_id: scopeId,
    kind,
    name,
    ...columnsOf(inputs, secrets),
    created_at: now.toISOString(),
    user_id: by.id,
    user_name: by.name,
    received_at: null,
    alerts: 0,
    failed_at: null,
    failure: null,
    hour_started_at: null,
    hour_opened: 0,
    withheld: 0,
  };
}

async function answerPublicly(
  db: Kysely<ControlTables>,
  { scopeId, id }: { readonly scopeId: string; readonly id: string },
  answersPublicly: boolean,
): Promise<StoredAlertSource | null> {
  const row = await db
    .updateTable("alert_source")
    .set({ answers_publicly: answersPublicly ? 1 : 0 })
    .where("scope_id", "=", scopeId)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  return row ? toAlertSource(row) : null;
}

/** The alert sources of all scopes, by id. */
export function alertSourceDirectory(db: Kysely<ControlTables>, secretsOf: SecretsOf): AlertSourceDirectory {
  const rows = () =>
    db.selectFrom("alert_source").select(["id", "scope_id", "kind", "inputs_json", "answers_publicly"]);
  type Row = Awaited<ReturnType<ReturnType<typeof rows>["execute"]>>[number];
  const known = async ({ id, scope_id: scopeId, ...row }: Row): Promise<KnownAlertSource | null> => {
    const secrets = await secretsOf(db, scopeId).get(secretName(id));
    if (secrets === null) return null;
    const inputs = { ...parseValues(row.inputs_json), ...parseValues(secrets) };
    return { id, scopeId, kind: row.kind, inputs, answersPublicly: isSet(row.answers_publicly) };
  };
  return {
    async find(id) {
      const row = await rows().where("id", "=", id).executeTakeFirst();
      return row ? known(row) : null;
    },
    async ofKind(kind) {
      const found = await rows().where("kind", "=", kind).orderBy("id").execute();
      return (await Promise.all(found.map(known))).filter((source) => source !== null);
    },
  };
}

function columnsOf(inputs: Readonly<Record<string, string>>, secrets: Readonly<Record<string, string>>) {
  return { inputs_json: JSON.stringify(inputs), secrets_json: JSON.stringify(Object.keys(secrets)) };
}

function isSet(column: number): boolean {
  return Number(column) === 1;
}

function secretName(id: string): string {
  return `alert-source.${id}`;
}

function parseValues(json: string): Record<string, string> {
  return valuesSchema.parse(JSON.parse(json));
}

function toAlertSource(row: Selectable<AlertSourceTable>): StoredAlertSource {
  const { id, kind, name, created_at, user_id, user_name, received_at, failed_at, failure } = row;
  const inputs = parseValues(row.inputs_json);
  return {
    id,
    kind,
    name,
    inputs,
    known: [...Object.keys(inputs), ...namesSchema.parse(JSON.parse(row.secrets_json))],
    created_at,
    created_by: { id: user_id, name: user_name },
    received_at,
    alerts: Number(row.alerts),
    withheld: Number(row.withheld),
    answers_publicly: isSet(row.answers_publicly),
    failed: failed_at === null || failure === null ? null : { at: failed_at, reason: failure },
  };
}
