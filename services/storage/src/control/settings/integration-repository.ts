import { randomUUID } from "node:crypto";
import {
  type Integration,
  type IntegrationKindName,
  integrationKindNames,
  integrationKinds,
  isSecretInput,
} from "@whence/protocol";
import { type Kysely, type Selectable, sql } from "kysely";
import { z } from "zod";
import { inTransaction } from "../databases/in-transaction.ts";
import type { ConnectionTable, ControlTables } from "../tables.ts";
import type { SecretRepository } from "./secret-db.ts";
import type { CredentialRenewal, IntegrationDirectory, IntegrationRepository } from "./settings-db.ts";

const valuesSchema = z.record(z.string(), z.string());

/** The credentials of the scope, on a connection or in a transaction. */
type SecretsOn = (db: Kysely<ControlTables>) => SecretRepository;

/** The integrations of one scope; their credentials are among its secrets. */
export function integrationRepository(
  db: Kysely<ControlTables>,
  secretsOn: SecretsOn,
  scopeId: string,
  name = "",
): IntegrationRepository {
  const secrets = secretsOn(db);
  const rows = () => db.selectFrom("connection").selectAll().where("scope_id", "=", scopeId);
  return {
    async list() {
      return (await rows().orderBy("kind").orderBy("name").execute()).map(toIntegration);
    },
    named: (other) => integrationRepository(db, secretsOn, scopeId, other),
    async connect({ kind, vendor, belongsTo, inputs, credentials, by, now }) {
      const connected = {
        vendor,
        belongs_to: belongsTo,
        inputs_json: JSON.stringify(inputs),
        connected_at: now.toISOString(),
        user_id: by.id,
        user_name: by.name,
        answered_at: now.toISOString(),
        failed_at: null,
        failure: null,
        findings: 0,
        renewal_id: null,
        renewal_until: null,
      };
      return inTransaction(db, async (transaction) => {
        const row = await transaction
          .insertInto("connection")
          .values({ scope_id: scopeId, kind, name, ...connected })
          .onConflict((conflict) => conflict.columns(["scope_id", "kind", "name"]).doUpdateSet(connected))
          .returningAll()
          .executeTakeFirstOrThrow();
        await secretsOn(transaction).put(secretName(kind, name), JSON.stringify(credentials), now);
        return toIntegration(row);
      });
    },
    async credentials(kind) {
      const row = await rows().where("kind", "=", kind).where("name", "=", name).executeTakeFirst();
      const secret = row && (await secrets.get(secretName(kind, name)));
      if (!row || secret === undefined || secret === null) return null;
      return { ...parseValues(row.inputs_json), ...parseValues(secret) };
    },
    async changeInputs(kind, inputs) {
      const row = await db
        .updateTable("connection")
        .set({ inputs_json: JSON.stringify(inputs) })
        .where("scope_id", "=", scopeId)
        .where("kind", "=", kind)
        .where("name", "=", name)
        .returningAll()
        .executeTakeFirst();
      return row ? toIntegration(row) : null;
    },
    rename: (kind, to, now) => rename(db, secretsOn, { scopeId, kind, name }, { to, now }),
    takeRenewal: (kind, lease) => takeRenewal(db, secretsOn, { scopeId, kind, name }, lease),
    async noteOutcome(kind, { failure, findings, belongsTo, now }) {
      const at = now.toISOString();
      await db
        .updateTable("connection")
        .set(failure === null ? { answered_at: at } : { failed_at: at, failure })
        .set("findings", sql`findings + ${findings}`)
        .$if(belongsTo !== undefined, (update) => update.set({ belongs_to: belongsTo ?? "" }))
        .where("scope_id", "=", scopeId)
        .where("kind", "=", kind)
        .where("name", "=", name)
        .execute();
    },
    async disconnect(kind) {
      const { numDeletedRows } = await db
        .deleteFrom("connection")
        .where("scope_id", "=", scopeId)
        .where("kind", "=", kind)
        .where("name", "=", name)
        .executeTakeFirst();
      await secrets.remove(secretName(kind, name));
      return numDeletedRows > 0n;
    },
  };
}

/** {@link IntegrationDirectory}. */
export function integrationDirectory(db: Kysely<ControlTables>): IntegrationDirectory {
  return {
    async connectedWith(kind, { name: input, value }) {
      // One per organization: these are few.
      const rows = await db
        .selectFrom("connection")
        .selectAll()
        .where("kind", "=", kind)
        .where("name", "=", "")
        .execute();
      return rows
        .filter(({ inputs_json }) => parseValues(inputs_json)[input] === value)
        .map(({ scope_id: scopeId, user_id: id, user_name }) => ({ scopeId, by: { id, name: user_name } }));
    },
  };
}

interface ConnectionKey {
  readonly scopeId: string;
  readonly kind: IntegrationKindName;
  readonly name: string;
}

async function rename(
  db: Kysely<ControlTables>,
  secretsOn: SecretsOn,
  { scopeId, kind, name }: ConnectionKey,
  { to, now }: { readonly to: string; readonly now: Date },
): Promise<Integration | "taken" | null> {
  return inTransaction(db, async (transaction) => {
    const ofKind = await transaction
      .selectFrom("connection")
      .selectAll()
      .where("scope_id", "=", scopeId)
      .where("kind", "=", kind)
      .execute();
    const own = ofKind.find((row) => row.name === name);
    if (!own) return null;
    if (name === to) return toIntegration(own);
    if (ofKind.some((row) => row.name === to)) return "taken";
    const row = await transaction
      .updateTable("connection")
      .set({ name: to })
      .where("scope_id", "=", scopeId)
      .where("kind", "=", kind)
      .where("name", "=", name)
      .returningAll()
      .executeTakeFirst();
    const secrets = secretsOn(transaction);
    const credentials = await secrets.get(secretName(kind, name));
    if (credentials !== null) await secrets.put(secretName(kind, to), credentials, now);
    await secrets.remove(secretName(kind, name));
    return row ? toIntegration(row) : null;
  });
}

async function takeRenewal(
  db: Kysely<ControlTables>,
  secretsOn: SecretsOn,
  { scopeId, kind, name }: ConnectionKey,
  { now, until }: Parameters<IntegrationRepository["takeRenewal"]>[1],
): Promise<CredentialRenewal | null> {
  const renewalId = randomUUID();
  const ended = { renewal_id: null, renewal_until: null };
  const { numUpdatedRows } = await db
    .updateTable("connection")
    .set({ renewal_id: renewalId, renewal_until: until.toISOString() })
    .where("scope_id", "=", scopeId)
    .where("kind", "=", kind)
    .where("name", "=", name)
    .where((row) => row.or([row("renewal_until", "is", null), row("renewal_until", "<=", now.toISOString())]))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return null;
  const end = async (on: Kysely<ControlTables>): Promise<boolean> => {
    const { numUpdatedRows: held } = await on
      .updateTable("connection")
      .set(ended)
      .where("scope_id", "=", scopeId)
      .where("kind", "=", kind)
      .where("name", "=", name)
      .where("renewal_id", "=", renewalId)
      .executeTakeFirst();
    return held > 0n;
  };
  const secret = await secretsOn(db).get(secretName(kind, name));
  return {
    credentials: secret === null ? {} : parseValues(secret),
    keep: (credentials, at) =>
      inTransaction(db, async (transaction) => {
        const isHeld = await end(transaction);
        if (isHeld) await secretsOn(transaction).put(secretName(kind, name), JSON.stringify(credentials), at);
        return isHeld;
      }),
    release: async () => void (await end(db)),
  };
}

function secretName(kind: IntegrationKindName, name: string): string {
  return name === "" ? `integration.${kind}` : `integration.${kind}.${name}`;
}

function parseValues(json: string): Record<string, string> {
  return valuesSchema.parse(JSON.parse(json));
}

function toIntegration(row: Selectable<ConnectionTable>): Integration {
  const { name, vendor, belongs_to, inputs_json, connected_at, failed_at, failure } = row;
  const kind = z.enum(integrationKindNames).parse(row.kind);
  return {
    kind,
    name,
    vendor,
    belongs_to,
    inputs: parseValues(inputs_json),
    credentials: credentialNames(kind),
    connected_at,
    connected_by: { id: row.user_id, name: row.user_name },
    answered_at: row.answered_at,
    findings: Number(row.findings),
    failed: failed_at === null || failure === null ? null : { at: failed_at, reason: failure },
  };
}

function credentialNames(kind: string): string[] {
  const known = Object.entries(integrationKinds).find(([name]) => name === kind)?.[1];
  return known ? known.inputs.filter(isSecretInput).map(({ name }) => name) : [];
}
