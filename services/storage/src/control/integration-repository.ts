import { type Integration, type IntegrationKindName, integrationKinds, isSecretInput } from "@whence/protocol";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { SecretRepository } from "./control-db.ts";
import type { IntegrationRepository } from "./settings-db.ts";
import type { ControlTables, IntegrationTable } from "./tables.ts";

const valuesSchema = z.record(z.string(), z.string());

/** The integrations of one scope; their credentials are among its `secrets`. */
export function integrationRepository(
  db: Kysely<ControlTables>,
  secrets: SecretRepository,
  scopeId: string,
): IntegrationRepository {
  const rows = () => db.selectFrom("integration").selectAll().where("scope_id", "=", scopeId);
  return {
    async list() {
      return (await rows().orderBy("kind").execute()).map(toIntegration);
    },
    async connect({ kind, inputs, credentials, by, now }) {
      // First: an integration that is listed has its credentials.
      await secrets.put(secretName(kind), JSON.stringify(credentials), now);
      const connected = {
        inputs_json: JSON.stringify(inputs),
        ...{ connected_at: now.toISOString(), user_id: by.id, user_name: by.name },
      };
      const row = await db
        .insertInto("integration")
        .values({ scope_id: scopeId, kind, ...connected })
        .onConflict((conflict) => conflict.columns(["scope_id", "kind"]).doUpdateSet(connected))
        .returningAll()
        .executeTakeFirstOrThrow();
      return toIntegration(row);
    },
    async credentials(kind) {
      const row = await rows().where("kind", "=", kind).executeTakeFirst();
      const secret = row && (await secrets.get(secretName(kind)));
      if (!row || secret === undefined || secret === null) return null;
      return { ...parseValues(row.inputs_json), ...parseValues(secret) };
    },
    async disconnect(kind) {
      const { numDeletedRows } = await db
        .deleteFrom("integration")
        .where("scope_id", "=", scopeId)
        .where("kind", "=", kind)
        .executeTakeFirst();
      await secrets.remove(secretName(kind));
      return numDeletedRows > 0n;
    },
  };
}

function secretName(kind: IntegrationKindName): string {
  return `integration.${kind}`;
}

function parseValues(json: string): Record<string, string> {
  return valuesSchema.parse(JSON.parse(json));
}

function toIntegration({
  kind,
  inputs_json,
  connected_at,
  user_id: id,
  user_name: name,
}: IntegrationTable): Integration {
  return {
    ...{ kind, inputs: parseValues(inputs_json), credentials: credentialNames(kind) },
    ...{ connected_at, connected_by: { id, name } },
  };
}

function credentialNames(kind: string): string[] {
  const known = Object.entries(integrationKinds).find(([name]) => name === kind)?.[1];
  return known ? known.inputs.filter(isSecretInput).map(({ name }) => name) : [];
}
