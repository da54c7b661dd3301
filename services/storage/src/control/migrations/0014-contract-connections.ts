import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { columnTypesOf, type DatabaseType } from "./column-types.ts";
import { required, zero } from "./columns.ts";

/**
 * Several connections of a kind, by the names that their owners give them. An earlier one keeps its credentials as one
 * without a name. SQLite can't change a primary key, so the rows move to another table.
 */
export function connectionsMigration(type: DatabaseType): Migration {
  return {
    async up(db) {
      await createConnections(db, type);
      await sql`insert into "connection" (scope_id, kind, name, vendor, belongs_to, inputs_json, connected_at, user_id,
        user_name, answered_at, failed_at, failure, findings)
        select scope_id, kind, '', vendor, belongs_to, inputs_json, connected_at, user_id,
        user_name, answered_at, failed_at, failure, findings from "integration"`.execute(db);
      await db.schema.dropTable("integration").execute();
    },
  };
}

async function createConnections(db: Kysely<unknown>, type: DatabaseType): Promise<void> {
  const { text } = columnTypesOf(type);
  await db.schema
    .createTable("connection")
    .addColumn("scope_id", text, required)
    .addColumn("kind", text, required)
    .addColumn("name", text, required)
    .addColumn("vendor", text, required)
    .addColumn("belongs_to", text, required)
    .addColumn("inputs_json", text, required)
    .addColumn("connected_at", text, required)
    .addColumn("user_id", text, required)
    .addColumn("user_name", text, required)
    .addColumn("answered_at", text)
    .addColumn("failed_at", text)
    .addColumn("failure", text)
    .addColumn("findings", "bigint", zero)
    .addColumn("renewal_id", text)
    .addColumn("renewal_until", text)
    .addPrimaryKeyConstraint("connection_pk", ["scope_id", "kind", "name"])
    .execute();
}
